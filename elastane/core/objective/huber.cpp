// Real-time code only.
#include "elastane/core/objective/huber.h"

#include <algorithm>
#include <cmath>

namespace elastane {

Huber::Huber(const Target& target, double threshold)
    : target_(threshold > 0.0 ? target : Target{}), threshold_(threshold) {}

double Huber::value(std::span<const double> y) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = target_.weight(i);
    if (w == 0.0) continue;
    const double r = std::fabs(y[i] - target_.values[i]) * std::sqrt(w);
    sum += r <= threshold_ ? 0.5 * r * r : threshold_ * (r - 0.5 * threshold_);
  }
  return sum;
}

void Huber::gradient(std::span<const double> y, std::span<double> gradient) const {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = target_.weight(i);
    const double root = std::sqrt(w);
    // ρ'(r) = r, within ±δ
    gradient[i] = w > 0.0 ? root * std::clamp((y[i] - target_.values[i]) * root, -threshold_, threshold_) : 0.0;
  }
}

double Huber::curvature(std::size_t i, double y) const {
  const double w = target_.weight(i);
  if (w == 0.0) return 0.0;
  const double r = std::fabs(y - target_.values[i]) * std::sqrt(w);
  return r > threshold_ ? w * (threshold_ / r) : w;  // w ρ'(r)/r
}

void Huber::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = curvature(i, y[i]);
    for (int r = 0; r < directions.count; ++r) products[r][i] = w > 0.0 ? w * directions[r][i] : 0.0;
  }
}

bool Huber::diagonal(std::span<const double> y, std::span<double> w) const {
  for (std::size_t i = 0; i < y.size(); ++i) w[i] = curvature(i, y[i]);
  return true;
}

}  // namespace elastane
