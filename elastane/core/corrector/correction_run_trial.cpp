// Real-time code only.
// The moves that try a step: how far the quadratic model of the rollout asks to go, the trials, what is accepted.
#include <cmath>
#include <cstring>
#include <limits>

#include "elastane/core/corrector/correction_run.h"
#include "elastane/core/corrector/retraction.h"
#include "elastane/core/corrector/trust.h"
#include "elastane/core/math/inner.h"

namespace elastane {

// a quadratic model of the rollout's loss along v
CorrectionRun::Next CorrectionRun::model_loss() {
  const double lambda = geometry_.base_damping(), prior = lambda * dot(v, v, latents);
  push(v, a);  // a = Jv
  objective_.gauss_newton(output(y), output_row(a), output_row(w));
  const double bent = dot(a, w, outputs);  // aᵀWa
  norm_ = std::sqrt(is_whole() || trusts_metric() ? report_.kappa : bent + prior);
  slope_ = -report_.kappa;
  curvature_ = norm_ * norm_;
  charge(Stage::solve, latents + outputs);
  mark(Stage::solve);
  add_rollout();
  if (!std::isfinite(slope_ + curvature_ + norm_ + bent + horizon_)) return stop(Stop::not_finite);
  if (!(norm_ > 0)) return stop(Stop::zero_gradient);
  return Next::proceed;
}

// the steps ahead, into slope and curvature
void CorrectionRun::add_rollout() {
  if (ahead.count > 0) {
    model_.roll_tangent(latent(v), tilt);  // J DΦ_h v
    charge(Stage::rollout, latent_cost_.roll_jvp * ahead.count);
    report_.products += ahead.count;
  }
  double weight = 1;
  for (int h = 0; h < ahead.count; ++h) {
    weight *= options_.trust.discount;
    const Objective& then = objective_.at(h + 1);
    then.gradient(output(ahead[h]), output(w));
    slope_ += weight * dot(w, tilt[h], outputs);  // m′
    then.gauss_newton(output(ahead[h]), output_row(tilt[h]), output_row(w));
    curvature_ += weight * dot(w, tilt[h], outputs);  // q
  }
  horizon_ = horizon_loss(loss_, ahead);
  if (report_.depth == 1) report_.horizon_before = horizon_;
  mark(Stage::rollout);
}

// the length that the model asks for
CorrectionRun::Next CorrectionRun::choose() {
  if (is_literal()) {
    // as printed: the largest of 1, ½, ¼ within the sketched norm, or what the cap leaves; Δ_pred of one step only
    slope_ = -report_.kappa, curvature_ = report_.kappa;
    const double cap = radius_ / std::sqrt(report_.kappa);
    const double alpha = cap >= 1 ? 1.0 : cap >= 0.5 ? 0.5 : cap >= 0.25 ? 0.25 : cap;
    return try_lengths(alpha, alpha < 1);
  }
  if (!(slope_ < 0)) return stop(Stop::rejected);  // uphill for the rollout as a whole
  const Length length =
      is_whole() ? Length{1.0, false} : choose_length(slope_, curvature_, norm_, radius_, options_.trust);
  return try_lengths(length.alpha, length.capped);
}

// A step that the model takes itself, on the part of its latent that is not settled. G is exact, so Δ_pred = ½κ
CorrectionRun::Next CorrectionRun::local_step() {
  const LocalStep step = model_.step_locally(objective_);
  charge(Stage::solve, step.macs);
  mark(Stage::solve);
  solved_ = true;
  squares_ = step.gradient_squares;
  report_.kappa = known(step.kappa);
  report_.predicted = 0.5 * report_.kappa;
  report_.alpha = 1;
  report_.length = norm_ = std::sqrt(report_.kappa);
  report_.trials += 1;
  report_.ratio = (loss_ - step.loss) / report_.predicted;  // η
  if (report_.depth == 1) report_.horizon_before = loss_;
  const bool promising = report_.predicted > 1e-12 * (1 + std::fabs(loss_));
  const bool good = promising && report_.ratio >= options_.trust.low && step.loss <= loss_;
  if (promising) radius_ = next_radius(options_.trust, radius_, good, good, report_.ratio, false);
  if (!good) {
    charge(Stage::trial, model_.step_back());
    mark(Stage::trial);
    return stop(promising ? Stop::rejected : Stop::converged);
  }
  loss_ = report_.horizon_after = step.loss;
  known_.settled = step.settled;
  return Next::proceed;
}

double CorrectionRun::horizon_loss(double now, ConstDoubleRows later) const {
  double sum = now, weight = 1;
  for (int h = 0; h < later.count; ++h) {
    weight *= options_.trust.discount;
    sum += weight * objective_.at(h + 1).value(span_of(later[h], outputs));
  }
  return sum;
}

// a rollout violates as much as its worst step
double CorrectionRun::violation(double* now, ConstDoubleRows later) const {
  double worst = objective_.violation(output(now));
  for (int h = 0; h < later.count; ++h) {
    worst = std::fmax(worst, objective_.at(h + 1).violation(span_of(later[h], outputs)));
  }
  return worst;
}

// is what the model promises for this length finite, more than rounding, and worth its price?
CorrectionRun::Next CorrectionRun::check_promise(double alpha) {
  const double promised = predicted_decrease(slope_, curvature_, alpha);
  report_.predicted = known(promised);
  if (!std::isfinite(promised)) return stop(Stop::not_finite);
  double rounding = 0;
  for (int i = 0; i < outputs; ++i) rounding += std::fabs(s[i] * y[i]);  // of ℓ, per unit of y's relative error
  const double least = 1e-12 * (1 + std::fabs(loss_)) + 2 * model_.precision() * rounding;
  // without acceptance every finite step is taken, however small its gain: ESM as written, and training's unrolled loop
  if (options_.trust.accept && !(report_.predicted > least)) return agree(Stop::converged);
  return worth_refining(options_.gate, report_.predicted) ? Next::proceed : stop(Stop::gate);
}

CorrectionRun::Next CorrectionRun::try_lengths(double alpha, bool capped) {
  if (check_promise(alpha) == Next::stop) return Next::stop;
  const TrustOptions& trust = options_.trust;
  violation_ = violation(y, ahead);
  drift();
  const int trials = is_literal() ? 1 : trust.trials;
  for (int t = 0; t < trials && time_for_trial(t); ++t, alpha *= 0.5) {
    const double begun = marked_;
    report_.predicted = predicted_decrease(slope_, curvature_, alpha);
    report_.alpha = alpha;
    report_.length = alpha * norm_;
    const bool good = try_length(alpha);
    trial_time_.observe(marked_ - begun);
    if (!good) continue;
    radius_ = next_radius(trust, radius_, true, t == 0, report_.ratio, capped);
    accept(alpha);
    return Next::proceed;
  }
  radius_ = next_radius(trust, radius_, false, false, report_.ratio, capped);
  geometry_.learn(latent(z), latent(v), false);
  return stop(Stop::rejected);
}

// on a wall clock every trial after the first must fit; on the counted one all of them were reserved
bool CorrectionRun::time_for_trial(int trial_number) {
  if (trial_number == 0 || budget_.clock != Budget::Clock::wall || affords(0, trial_time_.micros)) return true;
  trial_time_.refuse();
  report_.cut = true;
  return false;
}

bool CorrectionRun::try_length(double alpha) {
  report_.trials += 1;
  retract(alpha);
  tried_loss_ = objective_.value(output(moved));
  if (ahead.count > 0) {
    model_.roll(latent(trial), tried);
    charge(Stage::trial, latent_cost_.roll * ahead.count);
  }
  tried_horizon_ = horizon_loss(tried_loss_, tried);
  report_.ratio = (horizon_ - tried_horizon_) / report_.predicted;  // η
  mark(Stage::trial);
  if (!std::isfinite(report_.ratio) || !is_admissible()) return false;
  if (!options_.trust.accept) return true;
  if (violation(moved, tried) > violation_) return false;
  // as printed, the loss of this very step may rise
  return report_.ratio >= options_.trust.low && (is_literal() || tried_loss_ <= loss_);
}

// can the trial be a state, and its output be stored? The objective may not look at all of it
bool CorrectionRun::is_admissible() const {
  for (int i = 0; i < latents; ++i) {
    if (!(std::fabs(trial[i]) <= kStateLimit)) return false;
  }
  for (int i = 0; i < outputs; ++i) {
    if (!(std::fabs(moved[i]) <= std::numeric_limits<float>::max())) return false;
  }
  return true;
}

// base ← z + β(z⁰ − z), where trials start; at the first micro-step that is z itself
void CorrectionRun::drift() {
  const double beta = options_.retraction.drift;
  for (int i = 0; beta > 0 && i < latents; ++i) base[i] = z[i] + beta * (start[i] - z[i]);
}

// trial ← Retr_z(αv), moved ← g(trial)
void CorrectionRun::retract(double alpha) {
  RetractionOptions options = options_.retraction;
  // first order when time is short
  if (options.kind != Retraction::first_order && budget_.clock == Budget::Clock::wall &&
      !affords(0, 2 * trial_time_.micros)) {
    options.kind = Retraction::first_order;
    report_.cut = true;
  }
  const Ray ray = {latent(options.drift > 0 ? base : z), latent(v), output(a), alpha};
  const RetractionArrays out = {.trial = latent(trial),
                                .moved = output(moved),
                                .bend = latent(bend),
                                .gradient = latent(pulled),
                                .path = output(w),
                                .jet = output(jet),
                                .lag = output(lag)};
  const bool bent = elastane::retract(options, pullback_, geometry_, ray, out);
  charge(Stage::trial, latent_cost_.read + (bent ? latent_cost_.read : 0));
  if (options.kind != Retraction::first_order) {
    charge(Stage::trial, cost_.bend);
    report_.products += 1 + 2 * geometry_.cost().trusted;
  }
}

void CorrectionRun::accept(double alpha) {
  for (int i = 0; i < latents; ++i) v[i] *= alpha;
  geometry_.learn(latent(z), latent(v), true);
  std::memcpy(z, trial, latent(z).size_bytes());
  std::memcpy(y, moved, output(y).size_bytes());
  loss_ = tried_loss_;
  report_.horizon_after = tried_horizon_;
  mark(Stage::commit);
}

}  // namespace elastane
