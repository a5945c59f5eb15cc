// How far the quadratic model of the loss is trusted: the radius ρ, and the rule by which it shrinks and grows.
#pragma once

#include <cmath>

#include "elastane/core/corrector/corrector_options.h"

namespace elastane {

// the length that a quadratic model allows: its own minimum, and the cap ‖αv‖ ≤ ρ
struct Length {
  double alpha;
  bool capped;
};
inline Length choose_length(double slope, double curvature, double norm, double radius,
                            const TrustOptions& trust = {}) {
  const double best = trust.length == StepLength::fixed ? trust.step : -trust.step * slope / curvature;
  const double cap = radius / norm;  // min of αm′ + ½α²q;  ‖αv‖ = α‖v‖ ≤ ρ
  return cap < best ? Length{cap, true} : Length{best, false};
}

// the model's decrease for αv
inline double predicted_decrease(double slope, double curvature, double alpha) {
  return -alpha * slope - 0.5 * alpha * alpha * curvature;  // Δ_pred = −αm′ − ½α²q
}

// ρ after a step
inline double next_radius(const TrustOptions& trust, double radius, bool accepted, bool first_trial, double ratio,
                          bool capped) {
  if (!accepted || !first_trial) return std::fmax(radius * trust.shrink, trust.smallest);
  if (ratio > trust.high && capped) return std::fmin(radius * trust.grow, trust.largest);
  return radius;
}

}  // namespace elastane
