#include "bench/bare_step.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "bench/corrected_run.h"
#include "bench/drift.h"
#include "bench/rival.h"
#include "elastane/core/corrector/point_pullback.h"
#include "elastane/core/latent/neural_stack.h"
#include "elastane/core/metric/geometry.h"
#include "elastane/core/network/network.h"
#include "elastane/core/objective/gaussian.h"

namespace elastane::bench {
namespace {

constexpr double kDamping = 3e-3;  // λ, about 1e-3·tr(JᵀWJ)/d
constexpr int kPoints = 64, kStride = 20;

// where a correction would begin, and what it would begin towards
struct Point {
  std::vector<double> z;
  std::array<float, kDriftOutputs> target;
};

class BareStep {
 public:
  explicit BareStep(const Model& model)
      : stream_(model, {.corrector = drift_corrector(Metric::exact, 8, 1)}),
        stack_(model, {.max_directions = kDriftOutputs}),
        geometry_({.kind = Metric::exact, .damping = kDamping, .relative = false}, stack_.latents(), stack_.outputs(),
                  *model.network().k, {}),
        memory_(geometry_.memory_doubles() * sizeof(double)),
        state_(stream_.state().size()),
        y_(static_cast<std::size_t>(double_stride(stack_.outputs()))),
        s_(y_.size()),
        v_(static_cast<std::size_t>(double_stride(stack_.latents()))) {
    geometry_.carve_memory(reinterpret_cast<double*>(memory_.data()));
    geometry_.reset_memory();
    take_points();
  }

  const std::vector<Point>& points() const { return points_; }

  // v
  std::span<const double> operator()(const Point& point) {
    const Gaussian objective({.values = point.target, .noise = kDriftNoise});
    const std::span<double> y(y_.data(), kDriftOutputs), s(s_.data(), kDriftOutputs);
    const std::span<double> v(v_.data(), point.z.size());
    PointPullback pullback(stack_, &objective, y);
    stack_.linearise(point.z, y);     // y = g(z)
    objective.gradient(y, s);         // s = ∇_y ℓ
    geometry_.anticipate(pullback);   // J, JJᵀ
    geometry_.prepare(pullback, {});  // λI + WJJᵀ
    geometry_.solve(pullback, s, {}, v);
    return v;
  }

  // ‖Jv + r‖/‖r‖, r the residuals: how much of them a step leaves, to first order
  double left_over(const Point& point, std::span<const float> step) {
    std::vector<double> v(step.begin(), step.end()), jv(y_.size());
    stack_.linearise(point.z, {y_.data(), kDriftOutputs});
    stack_.jvp({v.data(), 1, static_cast<int>(v.size())}, {jv.data(), 1, static_cast<int>(jv.size())});
    double before = 0, after = 0;
    for (int i = 0; i < kDriftOutputs; ++i) {
      const double r = y_[i] - point.target[i];
      before += r * r;
      after += (jv[i] + r) * (jv[i] + r);
    }
    return std::sqrt(after / before);
  }

 private:
  void take_points() {
    std::array<float, kDriftInputs> x;
    for (int t = 0; static_cast<int>(points_.size()) < kPoints; ++t) {
      Point point{.z = std::vector<double>(static_cast<std::size_t>(stack_.latents())), .target = {}};
      drift_inputs(t, x);
      drift_target(t, point.target);
      stream_.advance(x);
      std::memcpy(state_.data(), stream_.state().data(), state_.size());
      stack_.bind(state_.data(), {});
      stack_.latents_from_state(point.z);
      stream_.correct(Gaussian({.values = point.target, .noise = kDriftNoise}));
      if (t % kStride == kStride - 1) points_.push_back(point);
    }
  }

  Stream stream_;
  NeuralStack<float> stack_;
  Geometry geometry_;
  Buffer memory_, state_;
  std::vector<double> y_, s_, v_;
  std::vector<Point> points_;
};

}  // namespace

Timed time_bare_step(const Model& model, int steps) {
  BareStep bare(model);
  std::vector<double> times;
  for (int t = 0; t < steps; ++t) {
    times.push_back(micros([&] { bare(bare.points()[static_cast<std::size_t>(t % kPoints)]); }));
  }
  return timed(std::move(times));
}

std::optional<BareRivals> ask_bare_rivals(const ModelConfig& config, std::span<const Tensor> tensors, int steps) {
  if (!rival_exists("elastane-tinysolver")) return std::nullopt;
  BareStep bare(Model::create(config, tensors).value());
  Json task = {{"noise", kDriftNoise}, {"damping", kDamping}, {"steps", steps}};
  for (const Point& point : bare.points()) {
    task["points"].push_back(point.z);
    task["targets"].push_back(point.target);
  }
  const RivalFile model(config, tensors), points(task);
  const Json answer = *ask_rival("elastane-tinysolver", fmt::format("'{}' '{}'", model.path(), points.path()));

  // a wrong answer's time does not count. Eigen solves our system; TinySolver damps by the diagonal of its own
  const Point& last = bare.points().back();
  const std::span<const double> v = bare(last);
  const std::vector<float> ours(v.begin(), v.end());
  if (!(deviation(answer["eigen"]["v"].get<std::vector<float>>(), ours) <= 1e-2)) {
    throw std::runtime_error("[bench] Eigen computes something else");
  }
  if (!(bare.left_over(last, answer["tinysolver"]["v"].get<std::vector<float>>()) <= 0.1)) {
    throw std::runtime_error("[bench] TinySolver computes something else");
  }
  return BareRivals{answer["tinysolver"]["p50_us"].get<double>(), answer["eigen"]["p50_us"].get<double>()};
}

}  // namespace elastane::bench
