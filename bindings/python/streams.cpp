// Streams and fleets.
#include "bindings/python/objectives.h"

namespace elastane::python {
namespace {

struct CorrectorChoice {
  bool corrects;
  std::string metric, gate;
  int depth, rank, horizon;
  double price, damping, radius, process_noise;
};

CorrectorOptions corrector_of(const CorrectorChoice& c) {
  CorrectorOptions options;
  options.metric.kind = parse_metric(c.metric).value();
  options.metric.rank = c.rank;
  options.metric.damping = c.damping;
  options.metric.process_noise = c.process_noise;
  options.trust.radius = c.radius;
  options.trust.horizon = c.horizon;
  options.gate.kind = parse_gate_name(c.gate);
  options.gate.depth = c.depth;
  options.gate.price = c.price;
  return options;
}

std::span<const std::uint8_t> present_of(const std::optional<Array<std::uint8_t>>& present, std::size_t n) {
  return present ? checked(*present, n, "present") : std::span<const std::uint8_t>();
}

std::size_t inputs_of(const Stream& s) { return as_size(s.model().inputs()); }
std::size_t outputs_of(const Stream& s) { return as_size(s.model().outputs()); }

Stream make_stream(const Model& model, int history, const CorrectorChoice& c, double noise) {
  StreamOptions options{.history = history};
  if (c.corrects) options.corrector = corrector_of(c);
  if (noise > 0) options.noise = {static_cast<float>(noise)};
  return Stream::create(model, options).value();
}

AdvanceReport advance(Stream& s, const Array<float>& x, float dt, const std::optional<Array<std::uint8_t>>& present) {
  const auto row = checked(x, inputs_of(s), "x");
  const auto there = present_of(present, row.size());
  const py::gil_scoped_release release;
  return s.advance(row, there, dt);
}

// outputs of every row, [rows][outputs]
py::array_t<float> advance_many(Stream& s, const Array<float>& x) {
  const std::size_t inputs = inputs_of(s), outputs = outputs_of(s), rows = as_size(x.size()) / inputs;
  if (rows * inputs != as_size(x.size())) throw py::value_error("x: expected whole rows of inputs");
  py::array_t<float> y({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(outputs)});
  float* to = y.mutable_data();
  {
    const py::gil_scoped_release release;
    s.advance_chunk(span_of_array(x), {to, rows * outputs});
  }
  return y;
}

StepReport observe(Stream& s, const Array<float>& label, std::optional<std::uint64_t> position, const Budget& budget) {
  const auto values = checked(label, outputs_of(s), "label");
  const py::gil_scoped_release release;
  return s.observe(values, position.value_or(s.position()), budget);
}

template <class Source, class... Which>
py::bytes snapshot(const Source& source, Which... which) {
  std::vector<std::byte> bytes(source.snapshot_bytes());
  source.snapshot(which..., bytes).value();
  return to_bytes(bytes);
}

AdvanceReport advance_fleet(Fleet& f, const Array<float>& x, const std::optional<Array<std::uint8_t>>& present,
                            const std::optional<Array<float>>& dt) {
  const std::size_t streams = as_size(f.size()), n = streams * as_size(f.model().inputs());
  const auto rows = checked(x, n, "x");
  const auto there = present_of(present, n);
  const auto steps = dt ? checked(*dt, streams, "dt") : std::span<const float>();
  const py::gil_scoped_release release;
  return f.advance(rows, there, steps);
}

void check_stream(const Fleet& f, int stream) {
  if (stream < 0 || stream >= f.size()) throw py::index_error("expected a stream below " + std::to_string(f.size()));
}

void add_fleet(py::module_& m) {
  py::class_<Fleet>(m, "Fleet", py::dynamic_attr(),
                    "Many streams of one model, stepped together: weights are read once for all of them.")
      .def(py::init([](const Model& model, int streams) { return Fleet::create(model, streams).value(); }),
           py::arg("model"), py::arg("streams"))
      .def("__len__", &Fleet::size)
      .def("advance", &advance_fleet, py::arg("x"), py::kw_only(), py::arg("present") = py::none(),
           py::arg("dt") = py::none(), "One step of every stream; x is [stream][input], NaN is missing.")
      .def_property_readonly(
          "outputs",
          [](const py::object& self) {
            const auto& f = self.cast<const Fleet&>();
            return view(f.outputs(), {f.size(), f.model().outputs()}, self);
          },
          "Outputs of the last step, [stream][output]: a read-only view that changes with the next step.")
      .def(
          "position", [](const Fleet& f, int stream) { return check_stream(f, stream), f.position(stream); },
          py::arg("stream"))
      .def(
          "reset",
          [](Fleet& f, std::optional<int> stream) {
            if (!stream) return f.reset();
            check_stream(f, *stream);
            f.reset(*stream);
          },
          py::arg("stream") = py::none())
      .def(
          "snapshot", [](const Fleet& f, int stream) { return snapshot(f, stream); }, py::arg("stream"))
      .def(
          "restore", [](Fleet& f, int stream, const py::bytes& b) { f.restore(stream, bytes_of(b)).value(); },
          py::arg("stream"), py::arg("snapshot"));
}

void add_stream_verbs(py::class_<Stream>& stream) {
  stream
      .def("advance", &advance, py::arg("x"), py::arg("dt") = 1.0F, py::arg("present") = py::none(),
           "One step: z ← f(z, x), y ← g(z). A value that is not finite, or not present, is missing.")
      .def("advance_many", &advance_many, py::arg("x"), "Many steps at once; returns the outputs, [row][output].")
      .def("anticipate", &Stream::anticipate, py::call_guard<py::gil_scoped_release>(),
           "The part of a correction that needs no observation.")
      .def(
          "correct",
          [](Stream& s, const AnyObjective& objective, const Budget& budget) {
            return correct_with(objective, outputs_of(s), [&](const Objective& o) { return s.correct(o, budget); });
          },
          py::arg("objective"), py::arg("budget") = Budget(),
          "Improves the state and the output of the last step; never makes the objective worse.")
      .def(
          "step",
          [](Stream& s, const Array<float>& x, const AnyObjective& objective, const Budget& budget) {
            const auto row = checked(x, inputs_of(s), "x");
            return correct_with(objective, outputs_of(s), [&](const Objective& o) { return s.step(row, o, budget); });
          },
          py::arg("x"), py::arg("objective"), py::arg("budget") = Budget(), "advance, then correct.")
      .def("observe", &observe, py::arg("label"), py::arg("position") = py::none(), py::arg("budget") = Budget(),
           "A label for the output of step `position`; a late one takes the stream back, if there is history.");
}

}  // namespace

void add_streams(py::module_& m) {
  py::class_<Stream> stream(m, "Stream", py::dynamic_attr(),
                            "One stream: a model, its state, and the verbs of a step. Used by one thread at a time.");
  stream.def(py::init([](const Model& model, int history, bool corrects, const std::string& metric,
                         const std::string& gate, int depth, int rank, int horizon, double price, double damping,
                         double radius, double process_noise, double noise) {
               return make_stream(model, history,
                                  {corrects, metric, gate, depth, rank, horizon, price, damping, radius, process_noise},
                                  noise);
             }),
             py::arg("model"), py::kw_only(), py::arg("history") = 0, py::arg("corrects") = false,
             py::arg("metric") = "automatic", py::arg("gate") = "always", py::arg("depth") = 1, py::arg("rank") = 8,
             py::arg("horizon") = 1, py::arg("price") = 0.0, py::arg("damping") = 1e-3, py::arg("radius") = 0.5,
             py::arg("process_noise") = 1e-3, py::arg("noise") = 0.0);
  add_stream_verbs(stream);
  stream
      .def_property_readonly(
          "output",
          [](const py::object& self) {
            const auto& s = self.cast<const Stream&>();
            return view(s.output(), {s.model().outputs()}, self);
          },
          "Output of the last step: a read-only view that changes with the next step.")
      .def_property_readonly("position", &Stream::position, "steps taken")
      .def_property_readonly("time", &Stream::time, "their summed dt")
      .def_property_readonly("rewindable", &Stream::rewindable, "steps that can be taken back")
      .def_property_readonly("overruns", &Stream::overruns)
      .def(
          "rewind", [](Stream& s, int n) { s.rewind(n).value(); }, py::arg("steps"))
      .def("reset", &Stream::reset)
      .def("restart", &Stream::restart)
      .def(
          "snapshot", [](const Stream& s) { return snapshot(s); }, "The whole state, exactly.")
      .def(
          "restore", [](Stream& s, const py::bytes& b) { s.restore(bytes_of(b)).value(); }, py::arg("snapshot"));
  add_fleet(m);
}

}  // namespace elastane::python
