// A learned metric outside a model file: G = diag(s) + LLᵀ for a custom latent.
//
//   MetricWeights weights = train_metric(…);                          // elastane/train/metric_training.h
//   Corrector corrector(options, d, m, kernels, weights.view());      // must not outlive the weights
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/core/base/view.h"
#include "elastane/core/metric/metric.h"

namespace elastane {

// as the corrector sees it; a view, whose numbers must outlive it
struct LearnedMetric {
  const double* diagonal = nullptr;  // s > 0   [d]
  ConstDoubleRows factor;            // Lᵀ      [r][d]
};

struct MetricWeights {
  //                                     meaning                         shape
  std::vector<double> diagonal = {};  // s > 0                           [d]
  std::vector<double> factor = {};    // Lᵀ, rows padded to kDoubleLane  [r][double_stride(d)]

  int latents() const { return static_cast<int>(diagonal.size()); }
  int rank() const { return diagonal.empty() ? 0 : static_cast<int>(factor.size()) / double_stride(latents()); }
  LearnedMetric view() const { return {diagonal.data(), {factor.data(), rank(), double_stride(latents())}}; }
};

// checks that sizes fit, numbers are finite and the diagonal is above 0; then G is positive definite for every L
inline Status validate(const MetricWeights& weights) {
  const auto stride = as_size(double_stride(weights.latents()));
  if (weights.diagonal.empty() || weights.factor.size() % stride != 0 || weights.rank() > kMaxRank) {
    return Error{"[metric] expected a diagonal and at most " + std::to_string(kMaxRank) + " rows of " +
                 std::to_string(stride) + " numbers, found " + std::to_string(weights.diagonal.size()) + " and " +
                 std::to_string(weights.factor.size()) + " numbers"};
  }
  for (const double s : weights.diagonal) {
    if (!(s > 0 && s < 1e12))
      return Error{"[metric] diagonal: expected above 0, below 1e12, found " + std::to_string(s)};
  }
  for (const double l : weights.factor) {
    if (!(std::fabs(l) < 1e12)) return Error{"[metric] factor: expected below 1e12, found " + std::to_string(l)};
  }
  return {};
}

}  // namespace elastane
