// What a correction did, and why it stopped there.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/metric/metric.h"

namespace elastane {

enum class Stop : std::uint8_t {
  completed,         // as many micro-steps as the gate granted, all accepted
  gate,              // the gate granted no more: what is left to gain is below its price
  converged,         // nothing left to gain
  rejected,          // no trial was good enough; earlier micro-steps stay accepted
  budget,            // the next micro-step would not have fitted
  nothing_observed,  // every channel is missing
  zero_gradient,     // the loss does not depend on the latent here
  not_finite,        // the output, the objective or a derivative is not finite
  singular,          // the metric could not be built or solved
  no_corrector,      // the stream was created without one
  too_late,          // the label belongs to a step that is no longer kept
  not_replayable,    // a step in between was corrected by an objective that is not kept
  no_such_step,      // no step was taken yet, or the label is for a later one
};
inline constexpr int kStopReasons = 13;
std::string_view name(Stop stop);

// stages of a step, in order; `other` is the measured time that belongs to no stage
enum class Stage : std::uint8_t { advance, score, gate, metric, solve, rollout, trial, commit, other };
inline constexpr int kStages = 9;
std::string_view name(Stage stage);

// Losses, horizons and the ratio may be NaN, as the objective computed them; everything else is finite
struct StepReport {
  Stop stop = Stop::completed;
  Metric metric = Metric::automatic;
  int granted = 0;                               // micro-steps that the gate granted, or would have granted at most
  int depth = 0;                                 // K, micro-steps that were started
  int accepted = 0;                              // of those
  int trials = 0;                                // step lengths that were tried
  bool cut = false;                              // the budget removed micro-steps, trials or the second-order term
  double loss_before = 0, loss_after = 0;        // ℓ at z⁰ and at what was committed
  double horizon_before = 0, horizon_after = 0;  // Σ γʰℓ over the rollout
  // of the last micro-step
  double kappa = 0;      // κ = gᵀG⁻¹g
  double predicted = 0;  // Δ_pred
  double ratio = 0;      // η = gain over predicted gain
  double alpha = 0;      // α
  double length = 0;     // ‖αv‖ in the true metric
  double radius = 0;     // ρ, after
  double damping = 0;    // λ
  double condition = 1;  // of G
  // two measures of compute, never mixed
  std::array<std::int64_t, kStages> macs = {};  // counted
  std::array<double, kStages> micros = {};      // measured
  int products = 0;                             // with J or its transpose, through the decoder
  double elapsed = 0;                           // µs of the whole call
  double overrun = 0;                           // µs beyond the budget
  GuardReport guard;                            // who spoke before this correction, and why

  std::int64_t total_macs() const {
    std::int64_t sum = 0;
    for (const std::int64_t part : macs) sum += part;
    return sum;
  }
};

}  // namespace elastane
