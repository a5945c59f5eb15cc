// A threshold that lets a wanted share of scores pass: from quantiles of training, and then followed on the stream.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace elastane {

// The score that this share of training examples lies above, between evenly spaced quantiles, lowest first. A share of
// 0 lets nothing pass, a share of 1 everything. There must be at least one quantile.
inline double threshold_for_share(std::span<const double> quantiles, double share) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(share > 0)) return kInfinity;
  if (share >= 1) return -kInfinity;
  const double at = (1 - share) * static_cast<double>(quantiles.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= quantiles.size()) return quantiles.back();
  return quantiles[below] + (at - static_cast<double>(below)) * (quantiles[below + 1] - quantiles[below]);
}

struct QuantileThreshold {
  static constexpr double kMost = 1e12;  // also infinite thresholds are kept in a state that must be finite

  double start = 0;   // the threshold before the first score
  double share = 0;   // of scores that shall pass
  double stride = 0;  // by how much one score moves it

  // `spread`: by how much most scores differ. A fiftieth of it is fast enough for drift, and slow enough not to chase
  // single scores.
  static QuantileThreshold at(double start, double share, double spread) {
    return {.start = std::clamp(start, -kMost, kMost), .share = share, .stride = 0.02 * std::clamp(spread, 0.1, kMost)};
  }

  // Up where more pass than the share, down where fewer: the share holds, whatever the scores are like here.
  double followed(double threshold, bool passed) const {
    const double moved = threshold + stride * ((passed ? 1.0 : 0.0) - share);
    return std::isfinite(moved) ? std::clamp(moved, -kMost, kMost) : 0.0;
  }
};

}  // namespace elastane
