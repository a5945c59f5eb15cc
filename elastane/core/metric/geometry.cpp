// Real-time code only.
// The stages of a correction for every metric; what takes more than a few lines has its own file.
#include "elastane/core/metric/geometry.h"

#include <cmath>
#include <cstring>

#include "elastane/core/base/random.h"
#include "elastane/core/math/inner.h"

namespace elastane {
namespace {

constexpr double kFollow = 0.1;   // rate of the running means: λ's unit, the latent's statistics
constexpr double kOutlier = 1e3;  // times the unit: larger values are clipped

}  // namespace

Metric choose_metric(int latents, int outputs) {
  // elastane bench correct: up to here one factorisation costs less than the products of conjugate gradients
  constexpr int kDense = 64;
  return (latents < outputs ? latents : outputs) <= kDense ? Metric::exact : Metric::conjugate_gradient;
}

bool Geometry::is_frozen() const { return kind() == Metric::fixed && *memory.count >= options_.warm_up; }

double Geometry::memory_factor() const {
  if (options_.memory >= 0) return options_.memory;
  if (kind() == Metric::literal) return 0.98;
  return outputs_ <= rank_ && kind() == Metric::sketch ? 0.0 : 0.8;
}

double Geometry::bias() const { return *memory.weight > 0 ? *memory.weight : 1.0; }

// the number of this correction, for its random directions; bounded, since a restored state may hold any number
std::uint64_t Geometry::draw() const {
  return static_cast<std::uint64_t>(std::fmin(std::fmax(*memory.count, 0.0), 1e15));
}

// λ, in units of tr(A)/d; false if A has been zero so far, since then there is no unit
bool Geometry::follow_scale(double trace) {
  const double unit = trace / latents_;
  if (std::isfinite(unit) && unit >= 0) {
    // one outlier must not dominate the steps after it
    const double followed = *memory.scale + kFollow * (std::fmin(unit, kOutlier * *memory.scale) - *memory.scale);
    *memory.scale = *memory.count == 0 || *memory.scale == 0 ? unit : followed;
  }
  damping_ = options_.relative ? options_.damping * *memory.scale : options_.damping;
  if (!(damping_ > 1e-30)) damping_ = 1e-30;
  base_damping_ = damping_;
  return !options_.relative || *memory.scale > 0;
}

// one random direction gives tr(A) on average (Hutchinson 1990); a running mean does the rest
bool Geometry::probe_scale(Pullback& a) {
  if (!options_.relative) return follow_scale(*memory.scale * latents_);
  Random random(options_.seed, draw() * 8191);
  double* q = work.latent[0];
  for (int i = 0; i < latents_; ++i) q[i] = random.sign();
  double *u = work.output[0], *wu = work.output[1];
  a.jvp({q, 1, stride_}, {u, 1, double_stride(outputs_)});
  a.weigh({u, 1, double_stride(outputs_)}, {wu, 1, double_stride(outputs_)});
  return follow_scale(dot(u, wu, outputs_));  // qᵀAq = (Jq)ᵀW(Jq)
}

void Geometry::anticipate(Pullback& a) {
  if (!holds_jacobian()) return;
  if (!in_outputs()) {
    a.jvp(work.identity, work.jacobian);  // columns of J
    return;
  }
  a.jacobian(work.identity, work.jacobian);  // rows of J
  if (kind() == Metric::exact) k_->gram_self(work.jacobian, stride_, work.gram.data, work.gram.stride);
}

// rows of J, or its columns if there are fewer, each whole
void Geometry::push(std::span<const double> v, std::span<double> jv) const {
  if (in_outputs()) return k_->gram({v.data(), 1, stride_}, work.jacobian, stride_, jv.data(), 0);
  k_->combine(v.data(), 0, work.jacobian, work.jacobian.stride, {jv.data(), 1, work.jacobian.stride});
}

void Geometry::pull(std::span<const double> s, std::span<double> jts) const {
  if (in_outputs()) return k_->combine(s.data(), 0, work.jacobian, stride_, {jts.data(), 1, stride_});
  k_->gram({s.data(), 1, work.jacobian.stride}, work.jacobian, work.jacobian.stride, jts.data(), 0);
}

bool Geometry::prepare(Pullback& a, std::span<const double> gradient) {
  condition_ = 1;
  switch (kind()) {
    case Metric::exact: return prepare_exact(a);
    case Metric::kalman: return prepare_kalman(a);
    case Metric::literal: return prepare_literal(a, gradient);
    case Metric::sketch:
    case Metric::fixed: return prepare_sketch(a, gradient);
    default: return probe_scale(a);
  }
}

bool Geometry::solve(Pullback& a, std::span<const double> s, std::span<const double> gradient, std::span<double> v) {
  switch (kind()) {
    case Metric::euclidean:
      for (int i = 0; i < latents_; ++i) v[i] = -gradient[i];
      return true;
    case Metric::latent_covariance:
      for (int i = 0; i < latents_; ++i) v[i] = -gradient[i] * (memory.variance[i] + 1e-6);
      return true;
    case Metric::exact:
    case Metric::kalman: {
      if (!in_outputs()) {
        for (int i = 0; i < latents_; ++i) v[i] = -gradient[i];
        solve_dense_latent(v);
        return true;
      }
      double* x = work.output[0];
      for (int i = 0; i < outputs_; ++i) x[i] = -s[i];
      solve_output_system(x);
      const ConstDoubleRows rows =
          kind() == Metric::exact ? ConstDoubleRows(work.jacobian) : ConstDoubleRows(work.weighted);
      k_->combine(x, 0, rows, stride_, {v.data(), 1, stride_});  // v = Jᵀx, or PJᵀx
      return true;
    }
    case Metric::conjugate_gradient: return solve_gradients(a, gradient, v);
    case Metric::sketch:
    case Metric::fixed: solve_factor(gradient, v, false); return true;
    case Metric::literal: return solve_woodbury(gradient, v);
    case Metric::learned: return solve_learned(gradient, v);
    default: return false;
  }
}

bool Geometry::solve_trusted(Pullback& a, std::span<const double> s, std::span<const double> gradient,
                             std::span<double> v) {
  switch (kind()) {
    case Metric::exact:
    case Metric::kalman:
    case Metric::conjugate_gradient: return solve(a, s, gradient, v);
    case Metric::sketch:
    case Metric::fixed: solve_factor(gradient, v, true); return true;
    default: return false;
  }
}

void Geometry::learn(std::span<const double> z, std::span<const double> step, bool accepted) {
  *memory.count = std::fmax(*memory.count, 0.0) + 1;
  if (kind() == Metric::latent_covariance) {
    for (int i = 0; i < latents_; ++i) {
      if (!(std::fabs(memory.mean[i]) <= kStateLimit)) memory.mean[i] = 0;  // from a damaged snapshot
      const double a = std::fmax(kFollow, 1.0 / *memory.count), delta = z[i] - memory.mean[i];
      memory.mean[i] += a * delta;
      memory.variance[i] = (1 - a) * (memory.variance[i] + a * delta * delta);
    }
  }
  if (!accepted) return;
  if (uses_factor()) {
    const double length = std::sqrt(dot(step.data(), step.data(), latents_));
    for (int i = 0; i < latents_ && length > 0; ++i) memory.previous[i] = step[i] / length;
  }
  if (kind() == Metric::kalman) learn_covariance();
}

}  // namespace elastane
