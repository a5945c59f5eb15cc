// Reports: fields as in C++, read-only. The package makes dataclasses of them (reports.py).
#include <optional>
#include <string>

#include "bindings/python/arrays.h"

namespace elastane::python {

void add_reports(py::module_& m) {
  py::class_<AdvanceReport>(m, "AdvanceReport", "What an advance found and cost.")
      .def_readonly("missing", &AdvanceReport::missing)
      .def_readonly("not_finite", &AdvanceReport::not_finite)
      .def_readonly("time_ignored", &AdvanceReport::time_ignored)
      .def_readonly("macs", &AdvanceReport::macs);
  py::class_<StepReport>(m, "StepReport", "What a correction did, and why it stopped there.")
      .def_property_readonly("stop", [](const StepReport& r) { return name(r.stop); })
      .def_property_readonly("metric", [](const StepReport& r) { return name(r.metric); })
      .def_readonly("granted", &StepReport::granted)
      .def_readonly("depth", &StepReport::depth)
      .def_readonly("accepted", &StepReport::accepted)
      .def_readonly("trials", &StepReport::trials)
      .def_readonly("cut", &StepReport::cut)
      .def_readonly("loss_before", &StepReport::loss_before)
      .def_readonly("loss_after", &StepReport::loss_after)
      .def_readonly("horizon_before", &StepReport::horizon_before)
      .def_readonly("horizon_after", &StepReport::horizon_after)
      .def_readonly("kappa", &StepReport::kappa)
      .def_readonly("predicted", &StepReport::predicted)
      .def_readonly("ratio", &StepReport::ratio)
      .def_readonly("alpha", &StepReport::alpha)
      .def_readonly("length", &StepReport::length)
      .def_readonly("radius", &StepReport::radius)
      .def_readonly("damping", &StepReport::damping)
      .def_readonly("condition", &StepReport::condition)
      .def_property_readonly("macs", &StepReport::total_macs)
      .def_readonly("elapsed", &StepReport::elapsed)
      .def_readonly("overrun", &StepReport::overrun);
  py::class_<ForecastReport>(m, "ForecastReport", "What a row was, and what was learned from it.")
      .def_readonly("missing", &ForecastReport::missing)
      .def_readonly("refused", &ForecastReport::refused)
      .def_readonly("stuck", &ForecastReport::stuck)
      .def_readonly("moved", &ForecastReport::moved)
      .def_readonly("labels", &ForecastReport::labels)
      .def_readonly("depth", &ForecastReport::depth)
      .def_readonly("accepted", &ForecastReport::accepted)
      .def_property_readonly("stop", [](const ForecastReport& r) { return name(r.stop); })
      .def_readonly("anomaly", &ForecastReport::anomaly)
      .def_property_readonly("drift",
                             [](const ForecastReport& r) {
                               return r.drift == DriftKind::none ? std::optional<std::string>()
                                                                 : std::string(name(r.drift));
                             })
      .def_readonly("elapsed", &ForecastReport::elapsed);
}

}  // namespace elastane::python
