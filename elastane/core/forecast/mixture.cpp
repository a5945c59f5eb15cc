// Real-time code only.
#include "elastane/core/forecast/mixture.h"

#include <algorithm>
#include <cmath>

namespace elastane {

void follow(const MixtureOptions& options, int favoured, std::span<const double> errors,
            std::span<const double> first_weights, double* common, std::span<double> weights) {
  const std::size_t n = errors.size();
  double least = INFINITY;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double& c = common[i * n + j];
      c += (1 - options.memory) * (errors[i] * errors[j] - c);  // C ← βC + (1 − β)eeᵀ
    }
    least = std::fmin(least, common[i * n + i]);
  }
  double slope[kMostMembers], mean = 0;
  for (std::size_t i = 0; i < n; ++i) {
    slope[i] = static_cast<int>(i) == favoured ? 0.0 : options.caution * least;  // v = Cw + δ min C_ii
    for (std::size_t j = 0; j < n; ++j) slope[i] += common[i * n + j] * weights[j];
    mean += weights[i] * slope[i];
  }
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double fall = -options.rate * (slope[i] - mean) / (least + 1e-12);
    weights[i] *= std::exp(std::fmax(-3.0, std::fmin(3.0, fall)));
    sum += weights[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    weights[i] = (1 - options.share) * weights[i] / sum + options.share * first_weights[i];
  }
}

}  // namespace elastane
