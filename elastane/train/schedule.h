// The learning rate over a run, as a share of its largest value.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace elastane::train {

enum class ScheduleKind : std::uint8_t { constant, cosine, one_cycle };
inline constexpr std::array<const char*, 3> kScheduleNames = {"constant", "cosine", "one_cycle"};

struct Schedule {
  ScheduleKind kind = ScheduleKind::cosine;
  std::int64_t steps = 1000;  // of the run
  std::int64_t warm_up = 50;  // linear, from zero; one_cycle rises for 0.3 of the run instead
  double last = 0.01;         // share at the end

  // share at `step`, counted from 0
  double operator()(std::int64_t step) const {
    const double t = static_cast<double>(step);
    if (kind == ScheduleKind::one_cycle) {  // Smith and Topin 2018, with cosines
      const double rise = std::max(1.0, 0.3 * static_cast<double>(steps));
      if (t < rise) return blend(0.04, 1.0, t / rise);
      return blend(1.0, last / 100, (t - rise) / std::max(1.0, static_cast<double>(steps) - rise));
    }
    const double start = std::min(1.0, (t + 1) / static_cast<double>(std::max<std::int64_t>(warm_up, 1)));
    return kind == ScheduleKind::constant ? start : start * blend(1.0, last, t / static_cast<double>(steps));
  }

 private:
  // from a to b along half a cosine
  static double blend(double a, double b, double t) {
    return b + (a - b) * 0.5 * (1 + std::cos(std::numbers::pi * std::clamp(t, 0.0, 1.0)));
  }
};

}  // namespace elastane::train
