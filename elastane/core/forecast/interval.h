// Prediction intervals that keep their coverage under any drift: streaming conformal prediction.
//
// Scores are errors in units of their recent mean size, taken when the forecast was made. Each bound is a quantile of
// the scores that moves after every label: out by η(1 − α/2) when it was missed, in by ηα/2 when it was not. Over n
// labels the share outside then differs from α by at most (range of the bound)/(ηn), with no assumption on the data
// (quantile tracking: Gibbs and Candès 2021; Angelopoulos, Candès, Tibshirani 2023). After n labels the bounds aim at a share
// (1 − α)(1 + h/n), as split conformal prediction does: n labels of h rows ahead overlap, and say as much as n/h.
#pragma once

#include <algorithm>
#include <cmath>

#include "elastane/core/forecast/forecaster_options.h"

namespace elastane {

inline constexpr double kLeastTail = 0.2;  // of the share outside that is asked for, after few labels

struct Interval {
  double below = -2, above = 2;  // quantiles of the scores
  double size = 0;               // recent mean size of errors; 0: no label yet

  double scale() const { return size > 0 ? size : 1.0; }
  // updates with a label: the error (label − forecast), the scale when the forecast was made, and h/n
  void follow(const IntervalOptions& options, double error, double scale_then, double few = 0) {
    const double outside = 1 - options.coverage, score = error / scale_then;
    const double tail = std::max(kLeastTail * outside, outside - options.coverage * few) / 2;
    above += options.rate * ((score > above ? 1 : 0) - tail);
    below -= options.rate * ((score < below ? 1 : 0) - tail);
    const double magnitude = std::fabs(error) + 1e-9;
    // one outlier must not widen the following intervals a hundredfold
    size += size == 0 ? magnitude : (1 - options.memory) * (std::min(magnitude, 20 * size) - size);
  }
};

}  // namespace elastane
