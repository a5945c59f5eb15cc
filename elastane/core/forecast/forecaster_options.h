// What can be chosen about a forecaster.
#pragma once

#include <cstdint>
#include <string_view>

#include "elastane/core/base/kernel_kinds.h"
#include "elastane/core/base/result.h"
#include "elastane/core/gate/gate.h"

namespace elastane {

// how a label moves the weights of a read-out; readout.h has the equations
enum class Learning : std::uint8_t {
  kalman,             // recursive least squares
  latent_covariance,  // the covariance after fitting, kept
  exact,              // damped, without a covariance
  euclidean,          // the plain gradient
};
inline constexpr int kLearnings = 4;
std::string_view name(Learning learning);
Result<Learning> parse_learning(std::string_view text);

// how forecasts of several read-outs are mixed; mixture.h has the formulas
struct MixtureOptions {
  double memory = 0.999;  // β
  double rate = 0.3;      // η
  double share = 1e-3;    // γ
  double caution = 0.02;  // δ, the advantage of the frozen member
};

// prediction intervals; interval.h has the rule
struct IntervalOptions {
  double coverage = 0.9;  // 1 − α
  double rate = 0.03;     // η, in units of the scores
  double memory = 0.98;   // memory of the mean size of errors
};

// what has changed, as far as errors show it
enum class DriftKind : std::uint8_t { none, level, scale, season, dynamics };
std::string_view name(DriftKind kind);

// alarms of unusual rows and of drift; drift_alarm.h has the rules
struct AlarmOptions {
  double rate = 1e-3;  // false alarms per row, of all kinds and targets together
};

struct ForecasterOptions {
  bool adapt = true;  // false: only the frozen read-out
  bool hedge = true;  // mix members; false: only the first adaptive read-out
  Learning learning = Learning::kalman;
  GateOptions gate;   // gain: learn only where the gain exceeds the price
  bool guard = true;  // the model's guard of its input; false: learn from every row at once
  MixtureOptions mixture;
  IntervalOptions interval;
  AlarmOptions alarm;
  Isa isa = Isa::automatic;  // instruction set of the kernels
  bool warm = false;         // continue where fitting ended; false: keep what was learned, but no rows
};
Status validate(const ForecasterOptions& options);

}  // namespace elastane
