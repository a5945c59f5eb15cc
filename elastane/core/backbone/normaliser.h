// Causal running level and scale of each input channel; part of the state, so that a restored stream continues exactly.
//
//   a = max(1 − decay, 1/(n+1))   δ = x − level   level ← level + aδ   variance ← (1−a)(variance + aδ²)
//
// (the exponentially weighted form of West 1979). The value itself is counted before it is normalised, so the result is
// bounded and an outlier cannot blow up the state.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "elastane/core/base/block_configs.h"

namespace elastane {

// one channel's statistics, in double: levels may be large and decay slow
struct ChannelStatistics {
  double level = 0;
  double variance = 0;
  double samples = 0;
};

inline void observe(double decay, double x, ChannelStatistics& s) {
  const double a = std::fmax(1.0 - decay, 1.0 / (s.samples + 1.0));
  const double delta = x - s.level;
  s.level += a * delta;
  s.variance = (1.0 - a) * (s.variance + a * delta * delta);
  s.samples += 1.0;
}

inline double scale(double epsilon, const ChannelStatistics& s) { return std::sqrt(s.variance + epsilon); }

}  // namespace elastane
