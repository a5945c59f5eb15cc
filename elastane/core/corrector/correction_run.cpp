// Real-time code only.
// ★ One correction: score, allocate, refine, commit.
//
//   y = g(z),  ℓ = L(y),  s = ∇_y ℓ,  g = Jᵀs                                  score
//   v = −G⁻¹g,  κ = gᵀG⁻¹g                                                     solve
//   m′ = Σγʰ ∇ℓ_hᵀ J DΦ_h v,  q = Σγʰ (J DΦ_h v)ᵀW(J DΦ_h v) + λ‖v‖²           model_loss; docs/science.md §1.10
//   α = min(−m′/q, ρ/‖v‖),  Δ_pred = −αm′ − ½α²q                               choose
//   η = (m(z) − m(Retr_z(αv)))/Δ_pred                                          try_lengths: α, α/2, α/4
#include "elastane/core/corrector/correction_run.h"

#include <cstring>

#include "elastane/core/math/inner.h"

namespace elastane {
namespace {

bool all_finite(std::span<const double> x) {
  for (const double value : x) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

}  // namespace

StepReport CorrectionRun::run(std::span<const double> proposal) {
  if (begin(proposal) == Next::proceed) {
    report_.granted = most_depth_;  // unless a gate grants less
    while (report_.depth < report_.granted && allocate() == Next::proceed) {
      const double micro_begun = marked_;
      const Next next = refine(proposal);
      micro_step_time_.observe(marked_ - micro_begun);
      if (next == Next::stop) break;
      report_.accepted += 1;
    }
  }
  finish();
  return report_;
}

// can the gate be asked before z is read?
bool CorrectionRun::is_known() {
  if (anticipated_ || objective_.empty()) return false;
  if (most_depth_ > 0 && !gatekeeper_.is_asked_after(GateInput::loss)) return false;
  return model_.known_point(objective_, known_) && std::isfinite(known_.loss);
}

// the next micro-step
CorrectionRun::Next CorrectionRun::refine(std::span<const double> proposal) {
  const bool local = deferred_ && is_local();
  if (deferred_ && !local) read_point(proposal);
  report_.depth += 1;
  return local ? local_step() : micro_step();
}

// can the model step on a part of its latent, and does nothing else need the whole?
bool CorrectionRun::is_local() const {
  return geometry_.kind() == Metric::native && model_.has_local_steps() && ahead.count == 0 &&
         options_.retraction.kind == Retraction::first_order && !(options_.retraction.drift > 0);
}

// what begin has left out
void CorrectionRun::read_point(std::span<const double> proposal) {
  deferred_ = false;
  std::memcpy(z, proposal.data(), proposal.size_bytes());
  model_.linearise(latent(z), output(y));
  charge(Stage::score, latent_cost_.read);
  loss_ = objective_.value(output(y));
  if (options_.retraction.drift > 0) std::memcpy(start, z, latent(z).size_bytes());
  mark(Stage::score);
}

// y = g(z) and ℓ; ends the correction if either is not finite
CorrectionRun::Next CorrectionRun::begin(std::span<const double> proposal) {
  deferred_ = is_known();
  if (deferred_) {
    loss_ = report_.loss_before = known_.loss;
    charge(Stage::score, known_.macs);
    mark(Stage::score);
    observed_ = true;
    return Next::proceed;
  }
  if (!anticipated_) {
    std::memcpy(z, proposal.data(), proposal.size_bytes());
    model_.linearise(latent(z), output(y));
    charge(Stage::score, latent_cost_.read);
  }
  if (objective_.empty()) return stop(Stop::nothing_observed);
  loss_ = objective_.value(output(y));
  report_.loss_before = loss_;
  mark(Stage::score);
  if (!all_finite(output(y)) || !std::isfinite(loss_)) return stop(Stop::not_finite);
  observed_ = true;
  if (options_.retraction.drift > 0) std::memcpy(start, z, latent(z).size_bytes());
  return Next::proceed;
}

CorrectionRun::Next CorrectionRun::micro_step() {
  look_ahead();
  if (score() == Next::stop || solve() == Next::stop) return Next::stop;
  if (report_.depth == 1 && gatekeeper_.is_asked_after(GateInput::solve) && ask_gate() == Next::stop) {
    return Next::stop;
  }
  if (model_loss() == Next::stop) return Next::stop;
  return choose();
}

// what needs no observation: the decoder's derivatives at the point, and the frozen steps ahead of it
void CorrectionRun::look_ahead() {
  if (report_.depth == 1 && anticipated_) return;
  if (report_.depth > 1) {
    model_.linearise(latent(z), output(y));
    charge(Stage::score, latent_cost_.read);
    mark(Stage::score);
  }
  if (ahead.count > 0) model_.roll_point(ahead);
  charge(Stage::rollout, latent_cost_.roll * ahead.count);
  mark(Stage::rollout);
  if (!geometry_.holds_jacobian()) return;
  geometry_.anticipate(pullback_);
  charge(Stage::metric, cost_.anticipated_metric);
  report_.products += geometry_.cost().anticipated_jvp + geometry_.cost().anticipated_vjp;
  mark(Stage::metric);
}

// through the decoder, unless the metric has J
void CorrectionRun::push(double* direction, double* jv) {
  if (geometry_.holds_jacobian()) {
    geometry_.push(latent(direction), output(jv));
  } else {
    model_.jvp(latent_row(direction), output_row(jv));
    ++report_.products;
  }
  charge(Stage::solve, cost_.push);
}

void CorrectionRun::pull(double* weights, double* jts, Stage at) {
  if (geometry_.holds_jacobian()) {
    geometry_.pull(output(weights), latent(jts));
  } else {
    model_.vjp(output_row(weights), latent_row(jts));
    ++report_.products;
  }
  charge(at, cost_.pull);
}

CorrectionRun::Next CorrectionRun::score() {
  objective_.gradient(output(y), output(s));  // s = ∇_y ℓ
  pull(s, g, Stage::score);                   // g = Jᵀs
  squares_ = dot(g, g, latents);
  mark(Stage::score);
  if (!std::isfinite(squares_)) return stop(Stop::not_finite);
  if (squares_ == 0 && !is_kalman()) return stop(Stop::zero_gradient);
  return Next::proceed;
}

CorrectionRun::Next CorrectionRun::solve() {
  const bool solved = solve_direction();                    // v = −G⁻¹g
  const double kappa = solved ? -dot(g, v, latents) : 0.0;  // κ = gᵀG⁻¹g
  report_.kappa = known(kappa);
  report_.damping = known(geometry_.damping());
  report_.condition = known(geometry_.condition());
  mark(Stage::solve);
  if (!solved || !std::isfinite(kappa) || kappa < 0) return stop(Stop::singular);
  if (kappa == 0) return agree(Stop::zero_gradient);
  solved_ = true;
  return Next::proceed;
}

bool CorrectionRun::solve_direction() {
  const Geometry::Cost cost = geometry_.cost();
  const bool native = geometry_.kind() == Metric::native;
  const bool prepared = native || geometry_.prepare(pullback_, latent(g));
  mark(Stage::metric);
  charge(Stage::metric, cost.own + cost.jvp * latent_cost_.jvp + cost.vjp * latent_cost_.vjp);
  report_.products += cost.jvp + cost.vjp;
  if (native) charge(Stage::solve, latent_cost_.solve);
  if (!prepared) return false;
  return native ? model_.solve(objective_, output(y), latent(g), latent(v))
                : geometry_.solve(pullback_, output(s), latent(g), latent(v));
}

// The observation agrees with the output, so there is nowhere to go. It still was an observation: a covariance shrinks
CorrectionRun::Next CorrectionRun::agree(Stop why) {
  if (is_kalman()) geometry_.learn(latent(z), latent(v), true);
  return stop(why);
}

void CorrectionRun::finish() {
  report_.metric = geometry_.kind();
  report_.loss_after = loss_;
  if (report_.accepted == 0) report_.horizon_after = report_.horizon_before;
  report_.radius = radius_;
  remember();
  mark(Stage::other);
  report_.elapsed = marked_ - begun_;
  report_.overrun = budget_.overrun(report_.elapsed);
}

}  // namespace elastane
