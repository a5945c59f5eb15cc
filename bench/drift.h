// The data of `bench correct` and of its rivals: inputs, and a target that drifts.
#pragma once

#include <cmath>
#include <span>

namespace elastane::bench {

inline constexpr int kDriftInputs = 8, kDriftOutputs = 16;
inline constexpr float kDriftNoise = 0.1F;  // σ of every channel of the target

// of step t
inline void drift_inputs(int t, std::span<float> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(0.1F * static_cast<float>(t) + static_cast<float>(i));
}

// slow waves, each channel with its own period: 200 to 430 steps
inline void drift_target(int t, std::span<float> target) {
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double period = 200.0 + 230.0 * static_cast<double>(i) / static_cast<double>(target.size());
    target[i] = static_cast<float>(0.4 * std::sin(6.283185307179586 * t / period + 2.4 * static_cast<double>(i)));
  }
}

}  // namespace elastane::bench
