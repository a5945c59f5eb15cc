// Real-time code only.
#include "elastane/core/corrector/retract.h"

namespace elastane {
namespace {

double squares(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

DoubleRows as_row(std::span<double> x) { return {x.data(), 1, double_stride(static_cast<int>(x.size()))}; }

// lag ← ½W D²g[Δ, Δ], with Δ = αv
void accelerate(PointPullback& at, const Ray& ray, double alpha, const RetractWork& work) {
  for (std::size_t i = 0; i < ray.v.size(); ++i) work.bend[i] = alpha * ray.v[i];
  at.model().second(work.bend, work.jet);
  at.objective().acceleration(at.y(), work.path, work.jet, work.lag);
  for (double& value : work.lag) value *= 0.5;
}

// bend ← −G⁻¹Jᵀ lag; false where it would not help
bool bend(PointPullback& at, Geometry& geometry, const Ray& ray, double alpha, const RetractWork& work) {
  at.vjp(as_row(work.lag), as_row(work.pull));
  if (!geometry.solve_trusted(at, work.lag, work.pull, work.bend)) return false;
  return squares(work.bend) <= alpha * alpha * squares(ray.v);  // or the series does not converge here
}

}  // namespace

bool retract(const RetractionOptions& options, PointPullback& at, Geometry& geometry, const Ray& ray, double alpha,
             const RetractWork& work, std::span<double> trial, std::span<double> moved) {
  for (std::size_t i = 0; i < trial.size(); ++i) trial[i] = ray.z[i] + alpha * ray.v[i];
  project(options, trial);
  at.model().output(trial, moved);

  if (options.kind == Retraction::first_order) return false;
  for (std::size_t i = 0; i < ray.a.size(); ++i) work.path[i] = alpha * ray.a[i];  // JΔ
  if (options.kind == Retraction::christoffel) {
    accelerate(at, ray, alpha, work);
  } else {
    at.objective().lag(at.y(), moved, work.path, work.lag);  // W(g(z + Δ) − g(z) − JΔ), the same to third order
  }
  if (!bend(at, geometry, ray, alpha, work)) return false;
  for (std::size_t i = 0; i < trial.size(); ++i) trial[i] += work.bend[i];
  project(options, trial);
  at.model().output(trial, moved);
  return true;
}

}  // namespace elastane
