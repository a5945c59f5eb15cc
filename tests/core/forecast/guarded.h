// A guard of one target whose rows are known, for tests of input_guard.h.
#pragma once

#include <cmath>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/forecast/input_guard.h"

namespace elastane {

inline constexpr int kGuardWindow = 24;

// a guard that has seen errors of about 0.1 in 1,000 rows about a season
class Guarded {
 public:
  explicit Guarded(double zero = -10)
      : zero_(zero), guard_({.outside = 4, .inside = 5, .after = 500}, kGuardWindow), held_(2 * kGuardWindow) {
    for (int t = 0; t < 1000; ++t) {
      const double value = season(t) + 0.1 * random_.normal();
      guard_.is_stuck(value, state);
      guard_.learn_value(value, zero_, state);
      guard_.follow({value - season(t), value, last_, 0}, state);
      last_ = value;
    }
  }

  static double season(int t) { return std::sin(2 * M_PI * t / kGuardWindow); }
  double true_value(int t) { return season(t) + 0.1 * random_.normal(); }

  // the row after the last one
  Reading feed(double u, int t, double season_ago = NAN) {
    const double forecast = season(t);
    const Reading reading =
        guard_.judge(u, {forecast, -2, 2, zero_, last_, 0, 0.5, season_ago}, state, held_.data(), x);
    if (reading == Reading::accepted) last_ = x;
    return reading;
  }

  static constexpr double kZero = -10;  // the zero of data that are all above it
  TargetGuard state;
  double x = 0;

 private:
  double zero_;
  Random random_{3};
  InputGuard guard_;
  std::vector<double> held_;
  double last_ = 0;
};

}  // namespace elastane
