// Real-time code only.
#include "elastane/core/forecast/mixture.h"

#include <algorithm>
#include <cmath>

namespace elastane {
namespace {

constexpr double kFirstMemory = 12;  // rows that C remembers after a change of the season, beside h
constexpr double kLonger = 0.5;      // by which that grows with every row

}  // namespace

double mixture_gain(const MixtureOptions& options, double since_season, int h) {
  if (since_season < h) return 0;
  return std::fmax(1 - options.memory, 1 / (kFirstMemory + h + kLonger * (since_season - h)));
}

void prefer(int member, double share, int members, int steps, double* weights) {
  for (int h = 0; h < steps; ++h) {
    double& preferred = weights[member * steps + h];
    if (preferred >= share) continue;
    const double by = (1 - share) / (1 - preferred);
    for (int e = 0; e < members; ++e) weights[e * steps + h] *= by;
    preferred = share;
  }
}

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
