// How far the quadratic model of the loss is trusted: the radius ρ, and the rule by which it shrinks and grows.
#pragma once

#include <cmath>
#include <cstdint>

namespace elastane {

// the length of a step along v; for the exact metric both rules agree
enum class StepLength : std::uint8_t {
  line,   // α = min(−α₀m′/q, ρ/‖v‖) by the model of the loss along v; the scale of G does not matter
  fixed,  // α = min(α₀, ρ/√κ): ESM as written; the scale of G is the step's
};

struct TrustOptions {
  double radius = 0.5;                    // ρ₀; ½ρ² is about the information, in nats, that one step may claim
  double smallest = 1e-3, largest = 8.0;  // ρ stays between
  double shrink = 0.5, grow = 1.5;
  double low = 0.25, high = 0.75;  // a step with η < low is refused; with η > high the radius may grow
  int trials = 3;                  // α₀, α₀/2, α₀/4
  int horizon = 1;                 // H: the losses now and up to H − 1 frozen steps ahead decide
  double discount = 0.97;          // γ
  StepLength length = StepLength::line;
  double step = 1.0;   // α₀
  bool accept = true;  // false: every finite step is accepted, as ESM is written; the loss may then rise
};

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
