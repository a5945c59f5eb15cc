// Real-time code only.
// The paper's metric as printed, eq. (1): an average of factors, λ as given. Kept so that the claim can be tested as it
// was made; docs/science.md §1.6 says what is wrong with it.
#include <cmath>
#include <cstring>

#include "elastane/core/base/random.h"
#include "elastane/core/math/dense.h"
#include "elastane/core/metric/geometry.h"

namespace elastane {

// Ω = [∇ℓ, random signs, p], with p the last accepted direction
void Geometry::draw_literal_probes(std::span<const double> gradient) {
  Random random(options_.seed, draw() * 8191 * 4);
  const int d = latents_, r = rank_;
  double moved = 0;
  for (int i = 0; i < d; ++i) moved += std::fabs(memory.previous[i]);
  for (int j = 0; j < r; ++j) {
    for (int i = 0; i < d; ++i) {
      const double sign = random.sign();
      if (j == 0) {
        work.probes[j][i] = gradient[i];  // q_1 = ∇ℓ
      } else if (j == r - 1 && moved > 0) {
        work.probes[j][i] = memory.previous[i];  // q_r = p
      } else {
        work.probes[j][i] = sign;
      }
    }
  }
}

// small ← (T + εI)^(−½) by eigenvalues, T = ΩᵀY
bool Geometry::invert_root() {
  const int r = rank_;
  const DoubleRows t = work.small, v = work.vectors;
  k_->gram(work.probes, work.product, stride_, t.data, t.stride);
  double trace = 0;
  for (int i = 0; i < r; ++i) {
    trace += t[i][i];
    for (int j = 0; j < i; ++j) t[i][j] = t[j][i] = 0.5 * (t[i][j] + t[j][i]);
  }
  if (!std::isfinite(trace)) return false;
  const double epsilon = std::fmax(1e-8 * trace / r, 1e-300);
  if (!k_->eigen_symmetric(t.data, r, t.stride, work.values, v.data, v.stride)) return false;
  if (work.values[r - 1] < -1e-3 * std::fabs(work.values[0])) return false;  // W is not a curvature
  for (int l = 0; l < r; ++l) work.values[l] = 1 / std::sqrt(std::fmax(work.values[l], 0.0) + epsilon);
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j < r; ++j) {
      double sum = 0;
      for (int l = 0; l < r; ++l) sum += v[l][i] * v[l][j] * work.values[l];
      t[i][j] = sum;
    }
  }
  return true;
}

bool Geometry::prepare_literal(Pullback& a, std::span<const double> gradient) {
  const int d = latents_, r = rank_;
  draw_literal_probes(gradient);
  a.jvp(work.probes, work.image);
  a.weigh(work.image, work.image);
  a.vjp(work.image, work.product);  // Y = AΩ
  if (!invert_root()) return false;

  // U ← βU + √(1−β²)Y(T + εI)^(−½)                                                      paper eq. (1)
  const double beta = memory_factor(), fresh = std::sqrt(1 - beta * beta);
  const DoubleRows t = work.small, v = work.vectors, u = work.basis.slice(0, r);
  k_->combine(t.data, t.stride, work.product, stride_, u);
  for (int j = 0; j < r; ++j) {
    for (int i = 0; i < d; ++i) u[j][i] = beta * memory.factor[j][i] + fresh * u[j][i];
  }

  // λI + UᵀU, for the solve; U is kept only if that can be solved
  damping_ = base_damping_ = options_.damping;
  k_->gram_self(u, stride_, t.data, t.stride);
  if (!k_->eigen_symmetric(t.data, r, t.stride, work.values, v.data, v.stride)) return false;
  condition_ = 1 + work.values[0] / damping_;
  k_->gram_self(u, stride_, t.data, t.stride);
  for (int i = 0; i < r; ++i) t[i][i] += damping_;
  if (!k_->cholesky(t.data, r, t.stride)) return false;
  for (int j = 0; j < r; ++j) std::memcpy(memory.factor[j], u[j], sizeof(double) * as_size(d));
  return true;
}

// v = −(1/λ)(g − U(λI + UᵀU)⁻¹Uᵀg)                                                        paper eq. (3)
bool Geometry::solve_woodbury(std::span<const double> gradient, std::span<double> v) {
  double* x = work.values;
  k_->gram({gradient.data(), 1, stride_}, memory.factor, stride_, x, 0);
  solve_cholesky(work.small.data, rank_, work.small.stride, x);
  for (int i = 0; i < latents_; ++i) v[i] = -gradient[i] / damping_;
  for (int j = 0; j < rank_; ++j) {
    for (int i = 0; i < latents_; ++i) v[i] += x[j] / damping_ * memory.factor[j][i];
  }
  return true;
}

}  // namespace elastane
