// What can be chosen about a correction.
#pragma once

#include <cstdint>

#include "elastane/core/base/result.h"
#include "elastane/core/gate/gate.h"
#include "elastane/core/metric/metric.h"

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

// how a step becomes a point that is allowed; retraction.h has the formulas
enum class Retraction : std::uint8_t { first_order, second_order, christoffel };
enum class Domain : std::uint8_t {
  free,
  torus,  // every coordinate is an angle in (−π, π]
  ball,   // ‖z‖ ≤ ball_radius
};

struct RetractionOptions {
  Retraction kind = Retraction::first_order;
  Domain domain = Domain::free;
  double ball_radius = 1.0;
  // β of z + αv + β(z⁰ − z): every micro-step goes back towards the proposal; first_order only (ESM)
  double drift = 0;
};

struct CorrectorOptions {
  MetricOptions metric;
  TrustOptions trust;
  RetractionOptions retraction;
  GateOptions gate;
};
Status validate(const CorrectorOptions& options);

}  // namespace elastane
