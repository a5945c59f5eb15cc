// Real-time code only.
// How many micro-steps a step gets: what its gate grants, and what its budget admits. Real-time code only.
#include "elastane/core/corrector/refine.h"

namespace elastane {

// does this moment deserve, and the budget admit, one more micro-step?
Corrector::Move::Next Corrector::Move::allocate() {
  if (!worth_scoring(c_.options_.gate, loss_)) return stop(Stop::gate);
  const bool first = report_.depth == 0;
  double macs = static_cast<double>(c_.micro_step_macs(cost_));
  if (first) macs -= static_cast<double>(c_.anticipated_ ? c_.anticipated_macs(cost_) : cost_.read);
  if (first && c_.gatekeeper_.is_asked()) {
    const auto gate = static_cast<double>(c_.gate_macs());
    if (c_.gatekeeper_.is_asked_after(GateSight::solve)) {
      macs += gate;  // it will be asked within the micro-step
    } else if (!affords(gate, 0)) {
      return cut();
    } else if (ask_gate() == Next::stop) {
      return Next::stop;
    }
  }
  return affords(macs, c_.micro_step_.micros) ? Next::go_on : cut();
}

Corrector::Move::Next Corrector::Move::cut() {
  c_.micro_step_.refuse();
  report_.cut = true;
  return stop(Stop::budget);
}

bool Corrector::Move::affords(double macs, double micros) const {
  switch (budget_.clock) {
    case Budget::Clock::none: return true;
    case Budget::Clock::wall: return now_micros() - begun_ + micros < budget_.limit;  // nothing fits in no time
    case Budget::Clock::counted: return spent_ + macs <= budget_.limit;
  }
  return true;
}

// what the step shows so far; afterwards, what it came to
GateView Corrector::Move::seen() const {
  return {.loss = report_.loss_before,
          .solved = solved_,
          .kappa = report_.kappa,
          .gradient_squares = squares_,
          .z = {c_.z_, static_cast<std::size_t>(d_)},
          .added = model_.gate_features()};
}

// once a step, for all of its micro-steps
Corrector::Move::Next Corrector::Move::ask_gate() {
  const int granted = c_.gatekeeper_.ask(seen(), gate_memory_);
  report_.granted = granted < c_.most_depth() ? granted : c_.most_depth();
  charge(Stage::gate, c_.gate_macs());
  mark(Stage::gate);
  if (report_.granted > 0) return Next::go_on;
  report_.depth = 0;  // what was solved for was only a look
  return stop(Stop::gate);
}

// a step without an observation teaches a gate nothing
void Corrector::Move::remember() {
  if (!c_.gatekeeper_.is_asked() || !observed_) return;
  c_.gatekeeper_.remember(seen(), report_.depth, latent(c_.z_), gate_memory_);
  mark(Stage::gate);
}

}  // namespace elastane
