#include "bindings/python/objectives.h"

namespace elastane::python {
namespace {

// a target that lives as long as the objective
template <class Inner>
class OwnedTarget final : public AnyObjective {
 public:
  OwnedTarget(const Array<float>& target, double noise, const py::object& present, bool lasts)
      : values_(target.data(), target.data() + target.size()) {
    if (!py::none().is(present)) {
      const auto given = checked(py::cast<Array<std::uint8_t>>(present), values_.size(), "present");
      present_.assign(given.begin(), given.end());
    }
    target_ = {.values = values_, .present = present_, .noises = {}, .noise = noise, .lasts = lasts};
    inner_.emplace(target_);
  }
  OwnedTarget(const OwnedTarget&) = delete;
  OwnedTarget& operator=(const OwnedTarget&) = delete;
  const Objective& get(std::size_t outputs) const override {
    if (values_.size() != outputs) {
      throw py::value_error("target: expected " + std::to_string(outputs) + " values, found " +
                            std::to_string(values_.size()));
    }
    return *inner_;
  }
  void set_threshold(double threshold) requires std::is_same_v<Inner, Huber> { inner_.emplace(target_, threshold); }

 private:
  std::vector<float> values_;
  std::vector<std::uint8_t> present_;
  Target target_;
  std::optional<Inner> inner_;
};

class OwnedCategorical final : public AnyObjective {
 public:
  OwnedCategorical(int label, int classes, double temperature, bool lasts)
      : inner_({.label = label, .classes = classes, .temperature = temperature, .lasts = lasts}) {}
  const Objective& get(std::size_t) const override { return inner_; }

 private:
  Categorical inner_;
};

}  // namespace

// An exception must not pass through the corrector: it is kept, and not-a-number ends the correction without a change.
void PythonObjective::call(const char* name, std::span<const double> y, std::span<double> out) const {
  const py::gil_scoped_acquire acquire;
  for (double& each : out) each = std::numeric_limits<double>::quiet_NaN();
  try {
    const py::function own = py::get_override(this, name);
    if (!own) throw py::type_error(std::string("an objective needs ") + name + "(y)");
    const auto answer = py::cast<Array<double>>(own(copy_of(y)));
    const auto values = checked(answer, out.size(), name);
    std::copy(values.begin(), values.end(), out.begin());
  } catch (...) {
    if (!pending_) pending_ = std::current_exception();
  }
}

void PythonObjective::raise_pending() const {
  if (pending_) std::rethrow_exception(std::exchange(pending_, nullptr));
}

double PythonObjective::value(std::span<const double> y) const {
  double loss = 0;
  call("value", y, {&loss, 1});
  return loss;
}
void PythonObjective::gradient(std::span<const double> y, std::span<double> out) const { call("gradient", y, out); }
bool PythonObjective::diagonal(std::span<const double> y, std::span<double> w) const {
  call("curvature", y, w);
  return true;
}
void PythonObjective::gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const {
  std::vector<double> w(y.size());
  diagonal(y, w);
  for (int r = 0; r < u.count; ++r) {
    for (std::size_t i = 0; i < w.size(); ++i) wu[r][i] = w[i] * u[r][i];
  }
}

void add_objectives(py::module_& m) {
  py::class_<AnyObjective>(m, "AnyObjective", "What corrections work towards.");
  py::class_<OwnedTarget<Gaussian>, AnyObjective>(
      m, "Gaussian", "A noisy measurement of the outputs: squared distance, in units of the noise. NaN is missing.")
      .def(py::init<const Array<float>&, double, const py::object&, bool>(), py::arg("target"), py::kw_only(),
           py::arg("noise") = 1.0, py::arg("present") = py::none(), py::arg("lasts") = false);
  py::class_<OwnedTarget<Huber>, AnyObjective>(m, "Huber",
                                               "The same, but linear beyond a threshold: outliers count less.")
      .def(py::init(
               [](const Array<float>& target, double noise, const py::object& present, bool lasts, double threshold) {
                 auto made = std::make_unique<OwnedTarget<Huber>>(target, noise, present, lasts);
                 made->set_threshold(threshold);
                 return made;
               }),
           py::arg("target"), py::kw_only(), py::arg("noise") = 1.0, py::arg("present") = py::none(),
           py::arg("lasts") = false, py::arg("threshold") = 1.345);
  py::class_<OwnedCategorical, AnyObjective>(m, "Categorical", "Outputs are logits; the target is a class.")
      .def(py::init<int, int, double, bool>(), py::arg("label"), py::arg("classes"), py::kw_only(),
           py::arg("temperature") = 1.0, py::arg("lasts") = false);
  py::class_<PythonObjective, AnyObjective>(
      m, "Objective",
      "Derive from it and write value(y), gradient(y) and curvature(y), the diagonal of a "
      "curvature that is not negative. Slow: for research.")
      .def(py::init<>())
      .def_readwrite("lasts", &PythonObjective::lasts, "does it hold for the steps ahead, too?");
}

}  // namespace elastane::python
