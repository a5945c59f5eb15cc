// What the outputs should have been, per channel, and how certain that is: what Gaussian and Huber compare with.
//
// It is a view: nothing is copied, and the caller's arrays must outlive it and every objective made of it. No input is
// an error; a channel without a usable value is missing.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace elastane {

inline constexpr float kLargestTarget = 1e18F;      // a target beyond this, or not a number, is missing, as in a Sample
inline constexpr double kSmallestVariance = 1e-18;  // a smaller variance counts as this, so that no weight overflows

struct Target {
  std::span<const float> values;          // t; a channel beyond its end is missing
  std::span<const std::uint8_t> present;  // 1 present, 0 missing; beyond its end: present
  std::span<const float> noises;          // σ of each channel; beyond its end: `noise`
  double noise = 1.0;                     // σ of all channels
  double temperature = 1.0;               // τ², which scales every variance (calibration.h)

  // is there a target for channel i?
  bool offers(std::size_t i) const {
    const bool offered = i < values.size() && (i >= present.size() || present[i] != 0);
    return offered && std::fabs(values[i]) <= kLargestTarget;
  }

  // 1/(τ²σ²); 0 where the variance is not a positive finite number
  double certainty(double sigma) const {
    const double variance = temperature * sigma * sigma;
    const bool known = sigma > 0.0 && temperature > 0.0 && variance <= std::numeric_limits<double>::max();
    return known ? 1.0 / std::fmax(variance, kSmallestVariance) : 0.0;
  }

  // channel i's weight, w = 1/(τ²σ²), or 0 if it is missing
  double weight(std::size_t i) const { return offers(i) ? certainty(i < noises.size() ? noises[i] : noise) : 0.0; }

  // is every channel missing?
  bool empty() const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (weight(i) > 0.0) return false;
    }
    return true;
  }
};

}  // namespace elastane
