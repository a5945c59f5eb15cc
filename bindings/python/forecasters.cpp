// Forecast models and forecasters.
#include "bindings/python/arrays.h"

namespace elastane::python {
namespace {

// what Python calls a forecaster: also the options that it was made with, for pickling
using Forecasts = std::tuple<py::array, py::array, py::array>;

py::ssize_t targets_of(const Forecaster& f) { return f.model().config.targets; }
py::ssize_t horizon_of(const Forecaster& f) { return f.model().config.horizon; }
std::size_t channels_of(const Forecaster& f) { return as_size(f.model().config.channels); }

SharedForecastModel fit(const Array<double>& values, const std::vector<std::string>& names, std::size_t targets,
                        int horizon, bool choose, double learn, double held_out, const std::vector<double>& periods,
                        bool guard) {
  if (values.ndim() != 2 || as_size(values.shape(1)) != names.size()) {
    throw py::value_error("values: expected [row][channel] with one name per channel");
  }
  FitOptions options;
  options.horizon = horizon;
  options.choose = options.tune_metrics = choose;
  options.split = {.learn = {learn}, .held_out = {held_out}};
  options.periods = periods;
  options.guard = guard;
  const auto rows = span_of_array(values);
  const py::gil_scoped_release release;
  return ForecastFitter(options).fit(make_dataset(rows, names, targets).value()).value().model;
}

// a row by position, or by the names of the channels; what a dict lacks is missing
std::vector<double> row_of(const Forecaster& f, const py::handle& row) {
  std::vector<double> values(channels_of(f), NAN);
  const std::vector<std::string>& names = f.model().names;
  const py::object fields =
      py::isinstance<py::dict>(row) ? py::reinterpret_borrow<py::object>(row) : py::object(row.attr("to_dict")());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const py::object value = fields.attr("get")(names[i], py::none());
    if (!py::none().is(value)) values[i] = value.cast<double>();
  }
  return values;
}

ForecastReport observe(Forecaster& f, const py::object& row, const Budget& budget) {
  if (py::isinstance<py::dict>(row) || (!py::isinstance<py::array>(row) && py::hasattr(row, "to_dict"))) {
    const std::vector<double> values = row_of(f, row);
    const py::gil_scoped_release release;
    return f.observe(values, budget);
  }
  const auto array = Array<double>::ensure(row);
  if (!array) throw py::type_error("row: expected numbers, a dict or a Series");
  const auto values = checked(array, channels_of(f), "row");
  const py::gil_scoped_release release;
  return f.observe(values, budget);
}

// forecasts made after every row, [row][horizon][target], with their intervals; alarms and depth, [row]
py::dict observe_many(Forecaster& f, const Array<double>& values, const Budget& budget) {
  const std::size_t channels = channels_of(f), rows = as_size(values.size()) / channels;
  if (rows * channels != as_size(values.size())) throw py::value_error("values: expected whole rows of channels");
  const std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(rows), horizon_of(f), targets_of(f)};
  py::array_t<double> mean(shape), lower(shape), upper(shape);
  py::array_t<bool> drift(static_cast<py::ssize_t>(rows));
  py::array_t<int> depth(static_cast<py::ssize_t>(rows)), refused(static_cast<py::ssize_t>(rows));
  double *to_mean = mean.mutable_data(), *to_lower = lower.mutable_data(), *to_upper = upper.mutable_data();
  bool* to_drift = drift.mutable_data();
  int *to_depth = depth.mutable_data(), *to_refused = refused.mutable_data();
  const auto all = span_of_array(values);
  {
    const py::gil_scoped_release release;
    for (std::size_t r = 0; r < rows; ++r) {
      const ForecastReport report = f.observe(all.subspan(r * channels, channels), budget);
      to_mean = std::copy(f.forecast().begin(), f.forecast().end(), to_mean);
      to_lower = std::copy(f.lower().begin(), f.lower().end(), to_lower);
      to_upper = std::copy(f.upper().begin(), f.upper().end(), to_upper);
      to_drift[r] = report.drift != DriftKind::none;
      to_depth[r] = report.depth;
      to_refused[r] = report.refused;
    }
  }
  using namespace py::literals;
  return py::dict("forecast"_a = mean, "lower"_a = lower, "upper"_a = upper, "drift"_a = drift, "depth"_a = depth,
                  "refused"_a = refused);
}

template <std::span<const double> (Forecaster::*kPart)() const>
py::array view_of(const py::object& self) {
  const auto& f = self.cast<const Forecaster&>();
  return view((f.*kPart)(), {horizon_of(f), targets_of(f)}, self);
}

py::bytes model_bytes(const ForecastModel& model) { return to_bytes(format_forecast_model(model).value()); }

void add_model(py::module_& m) {
  py::class_<ForecastModel, std::shared_ptr<ForecastModel>>(
      m, "ForecastModel", "A fitted forecaster: constant, shared by any number of forecasters.")
      .def_static(
          "load",
          [](const std::string& path) {
            return std::const_pointer_cast<ForecastModel>(load_forecast_model(path).value());
          },
          py::arg("path"))
      .def_static(
          "from_bytes", [](const py::bytes& b) { return parse_forecast_model(bytes_of(b), "the given bytes").value(); },
          py::arg("content"))
      .def("to_bytes", &model_bytes, "the content of a model file")
      .def(
          "save", [](const ForecastModel& model, const std::string& path) { save_forecast_model(path, model).value(); },
          py::arg("path"))
      .def_property_readonly(
          "names", [](const ForecastModel& model) { return model.names; }, "of the channels")
      .def_property_readonly(
          "targets", [](const ForecastModel& model) { return model.config.targets; },
          "the first so many channels are forecast")
      .def_property_readonly("channels", [](const ForecastModel& model) { return model.config.channels; })
      .def_property_readonly(
          "horizon", [](const ForecastModel& model) { return model.config.horizon; }, "rows ahead")
      .def_property_readonly(
          "periods", [](const ForecastModel& model) { return model.config.periods; }, "seasons, in rows")
      .def(py::pickle([](const ForecastModel& model) { return py::make_tuple(model_bytes(model)); },
                      [](const py::tuple& t) {
                        return parse_forecast_model(bytes_of(t[0].cast<py::bytes>()), "the pickled model").value();
                      }));
  m.def(
      "fit",
      [](const Array<double>& values, const std::vector<std::string>& names, std::size_t targets, int horizon,
         bool choose, double learn, double held_out, const std::vector<double>& periods, bool guard) {
        return std::const_pointer_cast<ForecastModel>(
            fit(values, names, targets, horizon, choose, learn, held_out, periods, guard));
      },
      py::arg("values"), py::arg("names"), py::kw_only(), py::arg("targets"), py::arg("horizon"), py::arg("choose"),
      py::arg("learn"), py::arg("held_out"), py::arg("periods"), py::arg("guard"));
}

}  // namespace

void add_forecasters(py::module_& m) {
  add_model(m);
  py::class_<Forecaster>(m, "Forecaster", py::dynamic_attr(),
                         "Forecasts a stream that drifts: learns from every row, then forecasts the next rows.")
      .def(py::init([](std::shared_ptr<ForecastModel> model, bool adapt, bool guard, bool warm, const std::string& gate,
                       double price, double coverage) {
             ForecasterOptions options;
             options.adapt = adapt;
             options.guard = guard;
             options.warm = warm;
             options.gate.kind = parse_gate_name(gate);
             options.gate.price = price;
             options.interval.coverage = coverage;
             return Forecaster::create(std::move(model), options).value();
           }),
           py::arg("model"), py::kw_only(), py::arg("adapt") = true, py::arg("guard") = true, py::arg("warm") = false,
           py::arg("gate") = "always", py::arg("price") = 0.0, py::arg("coverage") = 0.9)
      .def("observe", &observe, py::arg("row"), py::arg("budget") = Budget(),
           "The next row: numbers in the order of the channels, or a dict or Series by their names; NaN is missing.")
      .def("observe_many", &observe_many, py::arg("values"), py::arg("budget") = Budget())
      .def("forecast", &view_of<&Forecaster::forecast>,
           "Of the next rows, [horizon][target]: a read-only view that changes with the next row. No side effects.")
      .def_property_readonly("lower", &view_of<&Forecaster::lower>, "lower ends of the intervals")
      .def_property_readonly("upper", &view_of<&Forecaster::upper>, "upper ends of the intervals")
      .def_property_readonly("rows", &Forecaster::rows)
      .def_property_readonly("coverage", &Forecaster::coverage, "share of labels inside their intervals")
      .def_property_readonly("alarms", &Forecaster::alarms, "times that the drift alarm was raised")
      .def("reset", &Forecaster::reset)
      .def(
          "forget_rows", [](Forecaster& f) { f.forget_rows(); }, "Forgets all rows but keeps what was learned.")
      .def(
          "snapshot", [](const Forecaster& f) { return to_bytes(format_forecast_snapshot(snapshot_of(f))); },
          "The whole state, exactly.")
      .def(
          "restore",
          [](Forecaster& f, const py::bytes& b) { restore(parse_forecast_snapshot(bytes_of(b)).value(), f).value(); },
          py::arg("snapshot"));
}

}  // namespace elastane::python
