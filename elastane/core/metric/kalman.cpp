// Real-time code only.
// The reference: a full covariance P, carried from step to step, P ← FPFᵀ + Q, then P ← P − PJᵀ(I + WK)⁻¹WJP.
#include <cmath>

#include "elastane/core/metric/geometry.h"

namespace elastane {

bool Geometry::prepare_kalman(Pullback& a) {
  // J P, and K = JPJᵀ
  k_->combine(work.jacobian.data, work.jacobian.stride, memory.covariance, stride_, work.weighted);
  k_->gram(work.weighted, work.jacobian, stride_, work.gram.data, work.gram.stride);
  read_weight(a);
  damping_ = base_damping_ = 1 / options_.prior_variance;
  double trace = 0;
  for (int i = 0; i < outputs_; ++i)
    trace += (diagonal_weight_ ? work.root[i] : work.dense_weight[i][i]) * work.gram[i][i];
  condition_ = 1 + trace;
  return factor_output_system(1.0);
}

void Geometry::start_covariance() {
  for (int j = 0; j < memory.covariance.count; ++j) {
    for (int i = 0; i < stride_; ++i) memory.covariance[j][i] = i == j ? options_.prior_variance : 0.0;
  }
}

void Geometry::restart_covariance(int count) {
  for (int j = 0; j < memory.covariance.count; ++j) {
    for (int i = 0; i < latents_; ++i) {
      if (i < count || j < count) memory.covariance[j][i] = i == j ? options_.prior_variance : 0.0;
    }
  }
}

bool Geometry::has_covariance() const {
  for (int i = 0; i < memory.covariance.count; ++i) {
    if (!(memory.covariance[i][i] >= 0)) return false;
    for (int j = 0; j < latents_; ++j) {
      if (!(std::fabs(memory.covariance[i][j]) <= kStateLimit)) return false;
    }
  }
  return true;
}

void Geometry::learn_covariance() {
  const int m = outputs_;
  // rows of X = (I + WK)⁻¹W J P, one output direction at a time; then P −= (JP)ᵀX
  for (int j = 0; j < latents_; ++j) {
    double* x = work.output[0];
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      if (diagonal_weight_) {
        sum = work.root[i] * work.root[i] * work.weighted[i][j];
      } else {
        for (int l = 0; l < m; ++l) sum += work.dense_weight[i][l] * work.weighted[l][j];
      }
      x[i] = sum;
    }
    solve_output_system(x);
    for (int i = 0; i < m; ++i) {
      if (!(std::fabs(x[i]) <= kStateLimit)) return;  // W is not a curvature: learn nothing
      work.jacobian[i][j] = x[i];                     // J is no longer needed
    }
  }
  for (int row = 0; row < latents_; ++row) {
    for (int i = 0; i < m; ++i) {
      const double factor = work.weighted[i][row];
      for (int j = 0; j < latents_; ++j) memory.covariance[row][j] -= factor * work.jacobian[i][j];
    }
  }
  symmetrise();
}

// undoes what rounding made unequal or negative
void Geometry::symmetrise() {
  for (int i = 0; i < latents_; ++i) {
    memory.covariance[i][i] = std::fmax(memory.covariance[i][i], 0.0);
    for (int j = 0; j < i; ++j) {
      const double mean = 0.5 * (memory.covariance[i][j] + memory.covariance[j][i]);
      memory.covariance[i][j] = memory.covariance[j][i] = mean;
    }
  }
}

void Geometry::predict_diagonal(std::span<const double> f, std::span<const double> noise) {
  for (int i = 0; i < latents_; ++i) {
    for (int j = 0; j < latents_; ++j) memory.covariance[i][j] *= f[i] * f[j];
    memory.covariance[i][i] += noise[i];
  }
}

// multiplies every pair by its own complex number: rows first, then columns
void Geometry::predict_pairs(std::span<const double> f, std::span<const double> noise) {
  const int half = latents_ / 2;
  const DoubleRows p = memory.covariance;
  const auto turn = [&](int i, double& re, double& im) {
    const double p_re = re, p_im = im;
    re = f[i] * p_re - f[half + i] * p_im;
    im = f[i] * p_im + f[half + i] * p_re;
  };
  for (int i = 0; i < half; ++i) {
    for (int j = 0; j < latents_; ++j) turn(i, p[i][j], p[half + i][j]);
  }
  for (int j = 0; j < latents_; ++j) {
    for (int i = 0; i < half; ++i) turn(i, p[j][i], p[j][half + i]);
    p[j][j] += noise[j];
  }
}

void Geometry::add_noise(ConstDoubleRows q) {
  for (int i = 0; i < latents_; ++i) {
    for (int j = 0; j < latents_; ++j) memory.covariance[i][j] += q[i][j];
  }
  symmetrise();
}

void Geometry::predict_dense(ConstDoubleRows f, DoubleRows scratch, std::span<const double> noise) {
  // row i of scratch: F P e_i; then FPFᵀ = Σ_i (F e_i)(F P e_i)ᵀ
  k_->combine(memory.covariance.data, memory.covariance.stride, f, stride_, scratch);
  for (int i = 0; i < latents_; ++i) {
    for (int j = 0; j < stride_; ++j) memory.covariance[i][j] = 0;
  }
  for (int l = 0; l < latents_; ++l) {
    for (int i = 0; i < latents_; ++i) {
      const double factor = f[l][i];
      if (factor == 0) continue;
      for (int j = 0; j < latents_; ++j) memory.covariance[i][j] += factor * scratch[l][j];
    }
  }
  for (int i = 0; i < latents_; ++i) memory.covariance[i][i] += noise[i];
  symmetrise();
}

}  // namespace elastane
