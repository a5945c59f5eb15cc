// Real-time code only.
#include "elastane/core/corrector/retraction.h"

#include "elastane/core/corrector/point_pullback.h"
#include "elastane/core/metric/geometry.h"

namespace elastane {
namespace {

double squares(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

DoubleRows as_row(std::span<double> x) { return {x.data(), 1, double_stride(static_cast<int>(x.size()))}; }

// lag ← ½W D²g[Δ, Δ], with Δ = αv
void accelerate(PointPullback& at, const Ray& ray, const RetractionArrays& out) {
  for (std::size_t i = 0; i < ray.v.size(); ++i) out.bend[i] = ray.alpha * ray.v[i];
  at.model().second(out.bend, out.jet);
  at.objective().acceleration(at.y(), out.path, out.jet, out.lag);
  for (double& value : out.lag) value *= 0.5;
}

// bend ← −G⁻¹Jᵀ lag; false where it would not help
bool bend(PointPullback& at, Geometry& geometry, const Ray& ray, const RetractionArrays& out) {
  at.vjp(as_row(out.lag), as_row(out.gradient));
  if (!geometry.solve_trusted(at, out.lag, out.gradient, out.bend)) return false;
  return squares(out.bend) <= ray.alpha * ray.alpha * squares(ray.v);  // otherwise the series does not converge here
}

}  // namespace

bool retract(const RetractionOptions& options, PointPullback& at, Geometry& geometry, const Ray& ray,
             const RetractionArrays& out) {
  for (std::size_t i = 0; i < out.trial.size(); ++i) out.trial[i] = ray.z[i] + ray.alpha * ray.v[i];
  project(options, out.trial);
  at.model().output(out.trial, out.moved);

  if (options.kind == Retraction::first_order) return false;
  for (std::size_t i = 0; i < ray.a.size(); ++i) out.path[i] = ray.alpha * ray.a[i];  // JΔ
  if (options.kind == Retraction::christoffel) {
    accelerate(at, ray, out);
  } else {
    at.objective().lag(at.y(), out.moved, out.path, out.lag);  // W(g(z + Δ) − g(z) − JΔ), the same to third order
  }
  if (!bend(at, geometry, ray, out)) return false;
  for (std::size_t i = 0; i < out.trial.size(); ++i) out.trial[i] += out.bend[i];
  project(options, out.trial);
  at.model().output(out.trial, out.moved);
  return true;
}

}  // namespace elastane
