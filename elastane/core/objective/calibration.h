// The temperature τ² that corrects the assumed noise, estimated from innovations.
//
//   NIS = (y − t)ᵀ Σ⁻¹ (y − t), Σ = diag(σ²)     τ² = ΣNIS / Σm     (the held-out likelihood's maximum for Σ → τ²Σ)
//
// With noise τσ, the mean of NIS is the number m of channels. It matters because W ← W/τ² sets the length of a step and
// the unit of the trust radius. An innovation is an output that has not seen its target: y before correct().
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "elastane/core/objective/objective.h"

namespace elastane {

class TemperatureCalibration {
 public:
  // one innovation; missing channels do not count, nor does the temperature that the target has
  void observe(std::span<const double> y, Target target) {
    target.temperature = 1.0;
    double nis = 0.0;
    int channels = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double w = target.weight(i);
      if (w == 0.0) continue;
      const double r = y[i] - target.values[i];
      nis += w * r * r;
      ++channels;
    }
    add(nis, channels);
  }

  // an innovation whose NIS is known; ignored if it is not finite
  void add(double nis, int channels) {
    if (channels <= 0 || !(nis >= 0.0 && nis <= kLargest)) return;
    nis_ += nis;
    channels_ += channels;
  }

  std::int64_t channels() const { return channels_; }  // Σm

  // τ², for Target::temperature; 1 before the first innovation, and never zero
  double temperature() const {
    return channels_ > 0 ? std::fmax(nis_ / static_cast<double>(channels_), kSmallest) : 1.0;
  }

 private:
  static constexpr double kLargest = 1e100;   // so that sums do not overflow
  static constexpr double kSmallest = 1e-12;  // every innovation was zero

  double nis_ = 0.0;
  std::int64_t channels_ = 0;
};

}  // namespace elastane
