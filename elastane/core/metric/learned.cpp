// Real-time code only.
// A learned metric G = D + LLᵀ with D = diag(s), inverted by the identity of Woodbury as paper eq. (3) is.
#include "elastane/core/math/dense.h"
#include "elastane/core/metric/geometry.h"

namespace elastane {

// v = −(D⁻¹g − D⁻¹L(I + LᵀD⁻¹L)⁻¹LᵀD⁻¹g)
bool Geometry::solve_learned(std::span<const double> gradient, std::span<double> v) {
  const int r = learned_.factor.count;
  if (learned_.diagonal == nullptr) return false;  // the model file has none
  for (int i = 0; i < latents_; ++i) v[i] = -gradient[i] / learned_.diagonal[i];
  if (r == 0) return true;
  for (int j = 0; j < r; ++j) {
    for (int i = 0; i < latents_; ++i) work.probes[j][i] = learned_.factor[j][i] / learned_.diagonal[i];  // D⁻¹L
  }
  const ConstDoubleRows scaled = work.probes.slice(0, r);
  k_->gram(learned_.factor, scaled, stride_, work.small.data, work.small.stride);
  for (int i = 0; i < r; ++i) work.small[i][i] += 1;
  if (!k_->cholesky(work.small.data, r, work.small.stride)) return false;
  double* x = work.values;
  k_->gram({gradient.data(), 1, stride_}, scaled, stride_, x, 0);
  solve_cholesky(work.small.data, r, work.small.stride, x);
  for (int j = 0; j < r; ++j) {
    for (int i = 0; i < latents_; ++i) v[i] += x[j] * scaled[j][i];
  }
  return true;
}

}  // namespace elastane
