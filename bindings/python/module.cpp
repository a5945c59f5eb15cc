// elastane._core: the compiled half of the Python package.
#include "bindings/python/arrays.h"

namespace elastane::python {

Gate parse_gate_name(const std::string& text) {
  for (const Gate gate : {Gate::never, Gate::always, Gate::gain}) {
    if (text == name(gate)) return gate;
  }
  throw py::value_error("unknown gate \"" + text + "\", expected one of never, always, gain");
}

}  // namespace elastane::python

PYBIND11_MODULE(_core, m) {
  using namespace elastane::python;
  m.doc() = "Elastane's compiled half; use the package elastane.";
  m.attr("__version__") = ELASTANE_VERSION;
  add_models(m);
  add_objectives(m);
  add_reports(m);
  add_streams(m);
  add_forecasters(m);
  add_latents(m);
}
