// Real-time code only.
// How many micro-steps each step gets: what its gate grants, and what its budget admits.
#include "elastane/core/corrector/correction_run.h"

namespace elastane {

// does this moment deserve one more micro-step, and does the budget admit it?
CorrectionRun::Next CorrectionRun::allocate() {
  if (deferred_ && known_.settled) return stop(report_.depth == 0 ? Stop::zero_gradient : Stop::converged);
  if (!worth_scoring(options_.gate, loss_)) return stop(Stop::gate);
  const bool first = report_.depth == 0;
  double macs = static_cast<double>(cost_.micro_step);
  if (first) macs -= static_cast<double>(anticipated_ ? cost_.anticipated : latent_cost_.read);
  if (first && gatekeeper_.is_asked()) {
    const auto gate = static_cast<double>(gatekeeper_.macs(deferred_));
    if (gatekeeper_.is_asked_after(GateInput::solve)) {
      macs += gate;  // it will be asked within the micro-step
    } else if (!affords(gate, 0)) {
      return cut();
    } else if (ask_gate() == Next::stop) {
      return Next::stop;
    }
  }
  return affords(macs, micro_step_time_.micros) ? Next::proceed : cut();
}

CorrectionRun::Next CorrectionRun::cut() {
  micro_step_time_.refuse();
  report_.cut = true;
  return stop(Stop::budget);
}

bool CorrectionRun::affords(double macs, double micros) const {
  switch (budget_.clock) {
    case Budget::Clock::none: return true;
    case Budget::Clock::wall: return now_micros() - begun_ + micros < budget_.limit;  // nothing fits in no time
    case Budget::Clock::counted: return spent_ + macs <= budget_.limit;
  }
  return true;
}

// what the step shows so far; afterwards, what came of it
GateView CorrectionRun::seen() const {
  return {.loss = report_.loss_before,
          .solved = solved_,
          .kappa = report_.kappa,
          .gradient_squares = squares_,
          .z = deferred_ ? std::span<const double>() : latent(z),
          .moved = deferred_ ? known_.moved : -1,
          .added = model_.gate_features()};
}

// once per step, for all of its micro-steps
CorrectionRun::Next CorrectionRun::ask_gate() {
  const int granted = gatekeeper_.ask(seen(), gate_memory_);
  report_.granted = granted < most_depth_ ? granted : most_depth_;
  charge(Stage::gate, gatekeeper_.macs(deferred_));
  mark(Stage::gate);
  if (report_.granted > 0) return Next::proceed;
  report_.depth = 0;  // the solve only informed the gate
  return stop(Stop::gate);
}

// a step without an observation teaches a gate nothing
void CorrectionRun::remember() {
  if (!gatekeeper_.is_asked() || !observed_) return;
  gatekeeper_.remember(seen(), report_.depth, seen().z, gate_memory_);
  mark(Stage::gate);
}

}  // namespace elastane
