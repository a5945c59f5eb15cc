// The verbs of a correction: real-time code only. What may allocate is in correction_setup.cpp.
#include "elastane/core/correction.h"

#include <cmath>
#include <cstring>

#include "elastane/core/base/clock.h"
#include "elastane/core/base/denormals.h"
#include "elastane/core/state.h"

namespace elastane {

std::size_t Correction::state_doubles() const {
  return static_cast<std::size_t>(kColumnLane) + column_stride(inputs_) + corrector_.memory_doubles();
}

void Correction::reset(std::byte* state) {
  double* kept = own(state);
  for (std::size_t i = 0; i < state_doubles(); ++i) kept[i] = 0;
  kept[0] = 1;
  corrector_.reset(memory(state));
  forget();
}

void Correction::keep_input(std::byte* state, const float* normalised, float dt) {
  double* kept = own(state);
  kept[0] = dt;
  for (int i = 0; i < inputs_; ++i) {
    kept[kColumnLane + i] = std::fabs(normalised[i]) <= kStateLimit ? normalised[i] : 0.0;
  }
  forget();
}

// the network's read-out and its latents at the state as it is now
void Correction::bind(std::byte* state) {
  if (bound_) return;
  const double* kept = own(state);
  for (int i = 0; i < inputs_; ++i) input_[i] = static_cast<float>(kept[kColumnLane + i]);
  stack_.bind(state, {.dt = kept[0], .normalised = input_});
  stack_.latents_from_state(z_);
  bound_ = true;
}

void Correction::anticipate(std::byte* state) {
  const FlushDenormals flush;
  bind(state);
  corrector_.anticipate(stack_, z_, memory(state));
}

StepReport Correction::correct(std::byte* state, const Objective& objective, const Budget& budget,
                               std::span<float> output) {
  const FlushDenormals flush;
  const double begun = now_micros();
  bind(state);
  Budget left = budget;
  const double bound = now_micros() - begun;
  if (budget.clock == Budget::Clock::wall) left.limit -= bound;
  StepReport report = corrector_.correct(stack_, objective, left, z_, y_, memory(state));
  report.micros[static_cast<int>(Stage::score)] += bound;

  // the only write to the state; a correction that was refused leaves it as it is, bit for bit
  const double committing = now_micros();
  if (report.accepted > 0) {
    stack_.commit(z_);
    for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<float>(y_[i]);
  }
  bound_ = false;
  const double now = now_micros();
  report.micros[static_cast<int>(Stage::commit)] += now - committing;
  report.elapsed = now - begun;
  report.overrun = budget.clock == Budget::Clock::wall ? std::fmax(0.0, report.elapsed - budget.limit) : 0.0;
  overruns_ += report.overrun > 0 ? 1 : 0;
  return report;
}

}  // namespace elastane
