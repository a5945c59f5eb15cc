// Real-time code only.
// Dense G = λI + JᵀWJ, solved in the smaller space. With K = JJᵀ
//
//   (λI + JᵀWJ)⁻¹Jᵀs = Jᵀ(λI + WK)⁻¹s                                          (push-through identity)
//
// so m outputs cost an m x m factorisation, whatever the latent's size. Kalman's update is the same with P for I/λ.
#include <cmath>

#include "elastane/core/math/dense.h"
#include "elastane/core/metric/geometry.h"

namespace elastane {

bool Geometry::prepare_exact(Pullback& a) {
  if (in_outputs()) {
    // tr(A) = Σ w_i K_ii, or Σ_ij W_ij K_ij
    read_weight(a);
    double trace = 0;
    for (int i = 0; i < outputs_; ++i) {
      if (diagonal_weight_) {
        trace += work.root[i] * work.gram[i][i];
      } else {
        for (int j = 0; j < outputs_; ++j) trace += work.dense_weight[i][j] * work.gram[i][j];
      }
    }
    if (!follow_scale(trace)) return false;
    condition_ = 1 + trace / damping_;
    return factor_output_system(damping_);
  }
  // G_ij = j_iᵀ W j_j + λδ_ij, with j_i the columns of J
  a.weigh(work.jacobian, work.weighted);
  k_->gram(work.jacobian, work.weighted, double_stride(outputs_), work.system.data, work.system.stride);
  double trace = 0;
  for (int i = 0; i < latents_; ++i) trace += work.system[i][i];
  if (!follow_scale(trace)) return false;
  condition_ = 1 + trace / damping_;
  for (int i = 0; i < latents_; ++i) work.system[i][i] += damping_;
  return k_->cholesky(work.system.data, latents_, work.system.stride);
}

void Geometry::solve_dense_latent(std::span<double> v) const {
  solve_cholesky(work.system.data, latents_, work.system.stride, v.data());
}

// W into work.root as a diagonal, or into work.dense_weight
void Geometry::read_weight(Pullback& a) {
  diagonal_weight_ = a.diagonal(span_of(work.root, outputs_));
  if (!diagonal_weight_) a.weigh(work.identity, work.dense_weight);
}

// δI + WK. With W = DD diagonal it is D(δI + DKD)D⁻¹, which Cholesky can factorise
bool Geometry::factor_output_system(double delta) {
  const int m = outputs_;
  if (diagonal_weight_) {
    double largest = 0, total = 0;
    for (int i = 0; i < m; ++i) {
      largest = std::fmax(largest, work.root[i]);
      total += work.root[i];
    }
    if (!std::isfinite(total)) return false;
    // a channel without weight gets a tiny one, so that D has an inverse
    const double least = std::fmax(1e-14 * largest, 1e-200);
    for (int i = 0; i < m; ++i) work.root[i] = std::sqrt(std::fmax(work.root[i], least));
    for (int i = 0; i < m; ++i) {
      for (int j = i; j < m; ++j) work.system[i][j] = work.root[i] * work.gram[i][j] * work.root[j];
      work.system[i][i] += delta;
    }
    return k_->cholesky(work.system.data, m, work.system.stride);
  }
  // row by row, so that the inner loop runs over neighbours; each sum keeps its order
  for (int i = 0; i < m; ++i) {
    double* row = work.system[i];
    for (int j = 0; j < m; ++j) row[j] = i == j ? delta : 0.0;
    for (int l = 0; l < m; ++l) {
      const double w = work.dense_weight[i][l];
      const double* k = work.gram[l];
      for (int j = 0; j < m; ++j) row[j] += w * k[j];
    }
  }
  return eliminate(work.system.data, m, work.system.stride, work.pivots);
}

void Geometry::solve_output_system(double* s) const {
  const int m = outputs_;
  if (!diagonal_weight_) return solve_eliminated(work.system.data, m, work.system.stride, work.pivots, s);
  for (int i = 0; i < m; ++i) s[i] /= work.root[i];
  solve_cholesky(work.system.data, m, work.system.stride, s);
  for (int i = 0; i < m; ++i) s[i] *= work.root[i];
}

}  // namespace elastane
