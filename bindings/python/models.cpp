// Models and budgets.
#include "bindings/python/arrays.h"

namespace elastane::python {
namespace {

Model from_bytes(const py::bytes& bytes) {
  const ModelFile file = parse_model(bytes_of(bytes), "the pickled model").value();
  return Model::create(file.config, file.tensors, {}, "the pickled model").value();
}

}  // namespace

void add_models(py::module_& m) {
  py::class_<Model>(m, "Model", py::dynamic_attr(),
                    "Weights and sizes of a network, constant, shared by any number of streams.")
      .def_property_readonly("inputs", &Model::inputs, "channels of a row")
      .def_property_readonly("outputs", &Model::outputs)
      .def_property_readonly(
          "isa", [](const Model& model) { return name(model.isa()); }, "instruction set of the kernels")
      .def_property_readonly("parameters", &Model::parameters)
      .def_property_readonly("macs", &Model::macs, "multiply-adds of one step, at most")
      .def_property_readonly("fingerprint", &Model::fingerprint, "of configuration and weights")
      .def_static(
          "load", [](const std::string& path) { return Model::load(path).value(); }, py::arg("path"))
      .def_static("from_bytes", &from_bytes, py::arg("content"), "from the content of a model file");
  m.def("is_forecast_model", [](const py::bytes& bytes) { return is_forecast_model(bytes_of(bytes)); });

  py::class_<Budget>(m, "Budget", "How much work may be spent on one correction.")
      .def(py::init<>())
      .def_static("none", &Budget::none, "no limit")
      .def_static("micros", &Budget::micros, py::arg("limit"), "microseconds of the wall clock")
      .def_static("macs", &Budget::macs, py::arg("limit"), "counted multiply-adds, which replay bit for bit")
      .def_readonly("limit", &Budget::limit)
      .def_property_readonly(
          "clock",
          [](const Budget& b) {
            return b.clock == Budget::Clock::wall ? "micros" : b.clock == Budget::Clock::counted ? "macs" : "none";
          })
      .def(py::pickle([](const Budget& b) { return py::make_tuple(static_cast<int>(b.clock), b.limit); },
                      [](const py::tuple& t) {
                        return Budget{static_cast<Budget::Clock>(t[0].cast<int>()), t[1].cast<double>()};
                      }));
}

}  // namespace elastane::python
