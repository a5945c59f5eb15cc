// A corrector for latents whose model is written in Python. Slow: for research.
#include "bindings/python/objectives.h"

namespace elastane::python {
namespace {

using Matrix = Array<double>;

ConstDoubleRows rows_of(const Matrix& matrix, int n, const char* what) {
  checked(matrix, as_size(n) * as_size(n), what);
  return {matrix.data(), n, n};
}

// y = g(z) and J = ∂g/∂z of a Python object: output(z) and jacobian(z)
class PythonLatent final : public LatentModel {
 public:
  PythonLatent(py::object model, int latents, int outputs)
      : model_(std::move(model)), d_(latents), m_(outputs), z_(as_size(d_)), jacobian_(as_size(d_) * as_size(m_)) {}

  int latents() const override { return d_; }
  int outputs() const override { return m_; }
  LatentCost cost() const override {
    const std::int64_t product = std::int64_t{d_} * m_;
    return {.read = product, .jvp = product, .vjp = product, .second = product};
  }

  void linearise(std::span<const double> z, std::span<double> y) override {
    output(z, y);
    std::copy(z.begin(), z.end(), z_.begin());
    ask("jacobian", z, jacobian_);
  }
  void output(std::span<const double> z, std::span<double> y) override { ask("output", z, y); }
  void jvp(ConstDoubleRows q, DoubleRows jq) override {
    for (int r = 0; r < q.count; ++r) {
      for (int i = 0; i < m_; ++i) {
        double sum = 0;
        for (int j = 0; j < d_; ++j) sum += at(i, j) * q[r][j];
        jq[r][i] = sum;
      }
    }
  }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override {
    for (int r = 0; r < w.count; ++r) {
      for (int j = 0; j < d_; ++j) {
        double sum = 0;
        for (int i = 0; i < m_; ++i) sum += at(i, j) * w[r][i];
        jtw[r][j] = sum;
      }
    }
  }
  void second(std::span<const double> /*q*/, std::span<double> d2) override {  // first-order retractions do not ask
    std::fill(d2.begin(), d2.end(), 0.0);
  }
  // a latent without dynamics does not move
  void roll_point(DoubleRows y) override { roll(z_, y); }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override {
    for (int h = 0; h < dy.count; ++h) jvp({v.data(), 1, d_}, {dy[h], 1, m_});
  }
  void roll(std::span<const double> z, DoubleRows y) override {
    for (int h = 0; h < y.count; ++h) output(z, {y[h], as_size(m_)});
  }

  void raise_pending() {
    if (pending_) std::rethrow_exception(std::exchange(pending_, nullptr));
  }

 private:
  double at(int i, int j) const { return jacobian_[as_size(i) * as_size(d_) + as_size(j)]; }
  // as PythonObjective::call: an exception waits until the correction has ended
  void ask(const char* name, std::span<const double> z, std::span<double> out) {
    for (double& each : out) each = std::numeric_limits<double>::quiet_NaN();
    try {
      const auto answer = py::cast<Matrix>(model_.attr(name)(copy_of(z)));
      const auto values = checked(answer, out.size(), name);
      std::copy(values.begin(), values.end(), out.begin());
    } catch (...) {
      if (!pending_) pending_ = std::current_exception();
    }
  }

  py::object model_;
  int d_, m_;
  std::vector<double> z_, jacobian_;
  std::exception_ptr pending_;
};

class LatentCorrector {
 public:
  LatentCorrector(py::object model, int latents, int outputs, const CorrectorOptions& options)
      : latent_(std::move(model), latents, outputs),
        corrector_(Corrector::create(options, latents, outputs, *kernels().value()).value()),
        memory_(corrector_.memory_doubles()) {
    corrector_.reset(memory_.data());
  }
  void reset() { corrector_.reset(memory_.data()); }
  void predict(const Matrix& f, const std::optional<Matrix>& q) {
    const int d = latent_.latents();
    corrector_.predict(rows_of(f, d, "f"), q ? rows_of(*q, d, "q") : ConstDoubleRows(), memory_.data());
  }
  py::tuple correct(const Array<double>& z, const AnyObjective& objective, const Budget& budget) {
    const auto given = checked(z, as_size(latent_.latents()), "z");
    std::vector<double> point(given.begin(), given.end()), y(as_size(latent_.outputs()));
    const StepReport report = corrector_.correct(latent_, objective.get(y.size()), budget, point, y, memory_.data());
    latent_.raise_pending();
    if (const auto* own = dynamic_cast<const PythonObjective*>(&objective)) own->raise_pending();
    return py::make_tuple(copy_of<double>(point), copy_of<double>(y), report);
  }

 private:
  PythonLatent latent_;
  Corrector corrector_;
  std::vector<double> memory_;
};

}  // namespace

void add_latents(py::module_& m) {
  py::class_<LatentCorrector>(m, "Corrector",
                              "Corrects a latent whose model is a Python object with output(z) and jacobian(z).")
      .def(py::init([](py::object model, int latents, int outputs, const std::string& metric, int depth,
                       double process_noise, double prior_variance, double damping, double radius, int rank) {
             CorrectorOptions options;
             options.metric.kind = parse_metric(metric).value();
             options.metric.process_noise = process_noise;
             options.metric.prior_variance = prior_variance;
             options.metric.damping = damping;
             options.metric.rank = rank;
             options.trust.radius = radius;
             options.gate.depth = depth;
             return std::make_unique<LatentCorrector>(std::move(model), latents, outputs, options);
           }),
           py::arg("model"), py::arg("latents"), py::arg("outputs"), py::kw_only(), py::arg("metric") = "automatic",
           py::arg("depth") = 1, py::arg("process_noise") = 1e-3, py::arg("prior_variance") = 1.0,
           py::arg("damping") = 1e-3, py::arg("radius") = 0.5, py::arg("rank") = 8)
      .def("predict", &LatentCorrector::predict, py::arg("f"), py::arg("q") = py::none(),
           "The latent moved with the derivative f: P ← f P fᵀ + q, for the metric kalman.")
      .def("correct", &LatentCorrector::correct, py::arg("z"), py::arg("objective"), py::arg("budget") = Budget(),
           "Returns the corrected latent, its outputs and the report.")
      .def("reset", &LatentCorrector::reset);
}

}  // namespace elastane::python
