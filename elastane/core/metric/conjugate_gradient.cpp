// Real-time code only.
// k steps of conjugate gradients on (λI + A)v = −g (Hestenes and Stiefel 1952). k is fixed, and with it the cost;
// stopping early damps, as λ does.
#include <cmath>

#include "elastane/core/metric/geometry.h"

namespace elastane {

// product ← (λI + A)·direction; returns directionᵀ·product
double Geometry::apply_metric(Pullback& a, double* direction, double* product) {
  const int m_stride = double_stride(outputs_);
  double *u = work.output[0], *wu = work.output[1];
  a.jvp({direction, 1, stride_}, {u, 1, m_stride});
  a.weigh({u, 1, m_stride}, {wu, 1, m_stride});
  a.vjp({wu, 1, m_stride}, {product, 1, stride_});
  double along = 0;
  for (int i = 0; i < latents_; ++i) {
    product[i] += damping_ * direction[i];
    along += direction[i] * product[i];
  }
  return along;
}

bool Geometry::solve_gradients(Pullback& a, std::span<const double> gradient, std::span<double> v) {
  const int d = latents_;
  double *residual = work.latent[0], *direction = work.latent[1], *product = work.latent[2];
  double squared = 0;
  for (int i = 0; i < d; ++i) {
    v[i] = 0;
    residual[i] = direction[i] = -gradient[i];
    squared += gradient[i] * gradient[i];
  }
  const double goal = squared * 1e-24;
  double largest = 0;
  for (int k = 0; k < options_.products && squared > goal; ++k) {
    const double along = apply_metric(a, direction, product);
    if (!(along > 0) || !std::isfinite(along)) {
      if (k == 0) return false;  // G is not a metric along the gradient itself
      break;
    }
    double length = 0;
    for (int i = 0; i < d; ++i) length += direction[i] * direction[i];
    largest = std::fmax(largest, along / length);
    const double alpha = squared / along;
    double next = 0;
    for (int i = 0; i < d; ++i) {
      v[i] += alpha * direction[i];
      residual[i] -= alpha * product[i];
      next += residual[i] * residual[i];
    }
    const double beta = next / squared;
    for (int i = 0; i < d; ++i) direction[i] = residual[i] + beta * direction[i];
    squared = next;
  }
  condition_ = std::fmax(1.0, largest / damping_);  // of what was seen of G
  return true;
}

}  // namespace elastane
