#include "elastane/train/learned_metric.h"

namespace elastane::train {

using at::Tensor;

Tensor metric_diagonal(const Tensor& learned) {
  return at::softplus(learned.to(at::kDouble).clamp_max(30.0)).clamp_min(1e-6);
}

Tensor solve_learned(const Tensor& diagonal, const Tensor& factor, const Tensor& g) {
  const Tensor scaled = g / diagonal;  // D⁻¹g
  if (factor.size(1) == 0) return scaled;
  const Tensor small = at::eye(factor.size(1), factor.options());
  const Tensor inner = small + factor.t().matmul(factor / diagonal.unsqueeze(-1));  // I + LᵀD⁻¹L
  return scaled - at::linalg_solve(inner, scaled.matmul(factor).t()).t().matmul(factor.t()) / diagonal;
}

}  // namespace elastane::train
