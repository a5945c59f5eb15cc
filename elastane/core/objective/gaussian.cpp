// Real-time code only.
#include "elastane/core/objective/gaussian.h"

namespace elastane {

// a missing channel is skipped, not multiplied by zero: its output may be anything

double Gaussian::value(std::span<const double> y) const {
  double twice = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weight(i);
    if (w == 0.0) continue;
    const double r = y[i] - target_.values[i];
    twice += w * r * r;
  }
  return 0.5 * twice;
}

void Gaussian::gradient(std::span<const double> y, std::span<double> gradient) const {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weight(i);
    gradient[i] = w > 0.0 ? w * (y[i] - target_.values[i]) : 0.0;
  }
}

void Gaussian::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weight(i);
    for (int r = 0; r < directions.count; ++r) products[r][i] = w > 0.0 ? w * directions[r][i] : 0.0;
  }
}

bool Gaussian::diagonal(std::span<const double> y, std::span<double> w) const {
  for (std::size_t i = 0; i < y.size(); ++i) w[i] = weight(i);
  return true;
}

}  // namespace elastane
