// What can be chosen about a forecaster.
#pragma once

#include "elastane/core/base/kernel_kinds.h"
#include "elastane/core/base/result.h"
#include "elastane/core/gate/gate.h"
#include "elastane/core/metric/metric.h"

namespace elastane {

// how forecasts of several read-outs are mixed; mixture.h has the formulas
struct MixtureOptions {
  double memory = 0.999;  // β
  double rate = 0.3;      // η
  double share = 1e-3;    // γ
  double caution = 0.02;  // δ, the advantage of the first member
};

// prediction intervals; interval.h has the rule
struct IntervalOptions {
  double coverage = 0.9;  // 1 − α
  double rate = 0.03;     // η, in units of the scores
  double memory = 0.98;   // memory of the mean size of errors
};

struct AlarmOptions {
  double recent = 1.0 / 32, reference = 1.0 / 2048;  // gains of the two means
  double cap = 50;                                   // on one innovation
};

struct ForecasterOptions {
  bool adapt = true;               // false: only the frozen read-out
  bool hedge = true;               // mix members; false: only the first adaptive read-out
  Metric metric = Metric::kalman;  // kalman, latent_covariance, exact, euclidean
  GateOptions gate;                // gain: learn only where the gain exceeds the price
  bool guard = true;               // the model's guard of its input; false: learn from every row at once
  MixtureOptions mixture;
  IntervalOptions interval;
  AlarmOptions alarm;
  Isa isa = Isa::automatic;  // instruction set of the kernels
  bool warm = false;         // continue where fitting ended; false: keep what was learned, but no rows
};
Status validate(const ForecasterOptions& options);

}  // namespace elastane
