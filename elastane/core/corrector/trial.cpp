// Real-time code only.
// The moves that try a step: how far the rollout's own model asks to go, the trials, what is taken. Real-time code
// only.
#include <cmath>
#include <cstring>
#include <limits>

#include "elastane/core/corrector/refine.h"
#include "elastane/core/corrector/retract.h"
#include "elastane/core/math/inner.h"

namespace elastane {

// a quadratic model of the rollout's loss along v, and the length it asks for
Corrector::Move::Next Corrector::Move::model_loss() {
  const double lambda = c_.geometry_.base_damping(), prior = lambda * dot(c_.v_, c_.v_, d_);
  push(c_.v_, c_.a_);  // a = Jv
  objective_.gauss_newton(output(c_.y_), as_row(c_.a_, m_), as_row(c_.w_, m_));
  const double bent = dot(c_.a_, c_.w_, m_);  // aᵀWa
  norm_ = std::sqrt(is_whole() || trusts_metric() ? report_.kappa : bent + prior);
  slope_ = -report_.kappa;
  curvature_ = norm_ * norm_;
  charge(Stage::solve, d_ + m_);
  mark(Stage::solve);

  const int steps = c_.ahead_.count;
  if (steps > 0) {
    model_.roll_tangent(latent(c_.v_), c_.tilt_);  // J DΦ_h v
    charge(Stage::rollout, cost_.roll_jvp * steps);
    report_.products += steps;
  }
  double weight = 1;
  for (int h = 0; h < steps; ++h) {
    weight *= c_.options_.trust.discount;
    const Objective& then = objective_.at(h + 1);
    then.gradient(output(c_.ahead_[h]), output(c_.w_));
    slope_ += weight * dot(c_.w_, c_.tilt_[h], m_);  // m′
    then.gauss_newton(output(c_.ahead_[h]), as_row(c_.tilt_[h], m_), as_row(c_.w_, m_));
    curvature_ += weight * dot(c_.w_, c_.tilt_[h], m_);  // q
  }
  horizon_ = horizon_loss(loss_, c_.ahead_);
  if (report_.depth == 1) report_.horizon_before = horizon_;
  mark(Stage::rollout);
  if (!std::isfinite(slope_ + curvature_ + norm_ + bent + horizon_)) return stop(Stop::not_finite);
  if (!(norm_ > 0)) return stop(Stop::zero_gradient);

  if (is_literal()) {
    // as printed: the largest of 1, ½, ¼ within the sketched norm, or what the cap leaves; Δ_pred of one step only
    slope_ = -report_.kappa, curvature_ = report_.kappa;
    const double cap = radius_ / std::sqrt(report_.kappa);
    const double alpha = cap >= 1 ? 1.0 : cap >= 0.5 ? 0.5 : cap >= 0.25 ? 0.25 : cap;
    return try_lengths(alpha, alpha < 1);
  }
  if (!(slope_ < 0)) return stop(Stop::rejected);  // uphill for the rollout as a whole
  const Length length =
      is_whole() ? Length{1.0, false} : choose_length(slope_, curvature_, norm_, radius_, c_.options_.trust);
  return try_lengths(length.alpha, length.capped);
}

double Corrector::Move::horizon_loss(double now, ConstDoubleRows ahead) const {
  double sum = now, weight = 1;
  for (int h = 0; h < ahead.count; ++h) {
    weight *= c_.options_.trust.discount;
    sum += weight * objective_.at(h + 1).value({ahead[h], static_cast<std::size_t>(m_)});
  }
  return sum;
}

Corrector::Move::Next Corrector::Move::try_lengths(double alpha, bool capped) {
  const TrustOptions& trust = c_.options_.trust;
  const double promised = predicted_decrease(slope_, curvature_, alpha);
  report_.predicted = known(promised);
  if (!std::isfinite(promised)) return stop(Stop::not_finite);
  double rounding = 0;
  for (int i = 0; i < m_; ++i) rounding += std::fabs(c_.s_[i] * c_.y_[i]);  // of ℓ, per unit of y's own
  const double least = 1e-12 * (1 + std::fabs(loss_)) + 2 * model_.precision() * rounding;
  // who never refuses does not ask what there is to gain either: ESM as written, and as unroll does it
  if (trust.accept && !(report_.predicted > least)) return agree(Stop::converged);
  if (!worth_refining(c_.options_.gate, report_.predicted)) return stop(Stop::gate);

  drift();
  const int trials = is_literal() ? 1 : trust.trials;
  for (int t = 0; t < trials; ++t, alpha *= 0.5) {
    // on a wall clock also a trial must fit; on the counted one all of them were reserved
    const bool fits = t == 0 || budget_.clock != Budget::Clock::wall || affords(0, c_.trial_step_.micros);
    if (!fits) {
      c_.trial_step_.refuse();
      report_.cut = true;
      break;
    }
    const double begun = marked_;
    report_.predicted = predicted_decrease(slope_, curvature_, alpha);
    report_.alpha = alpha;
    report_.length = alpha * norm_;
    const bool good = try_length(alpha);
    c_.trial_step_.observe(marked_ - begun);
    if (!good) continue;
    radius_ = next_radius(trust, radius_, true, t == 0, report_.ratio, capped);
    accept(alpha);
    return Next::go_on;
  }
  radius_ = next_radius(trust, radius_, false, false, report_.ratio, capped);
  c_.geometry_.learn(latent(c_.z_), latent(c_.v_), false);
  return stop(Stop::rejected);
}

bool Corrector::Move::try_length(double alpha) {
  report_.trials += 1;
  retract(alpha);
  tried_loss_ = objective_.value(output(c_.moved_));
  if (c_.ahead_.count > 0) {
    model_.roll(latent(c_.trial_), c_.tried_);
    charge(Stage::trial, cost_.roll * c_.ahead_.count);
  }
  tried_horizon_ = horizon_loss(tried_loss_, c_.tried_);
  report_.ratio = (horizon_ - tried_horizon_) / report_.predicted;  // η
  mark(Stage::trial);
  // as printed, the loss of this very step may rise
  if (!std::isfinite(report_.ratio) || !is_admissible()) return false;
  if (!c_.options_.trust.accept) return true;
  return report_.ratio >= c_.options_.trust.low && (is_literal() || tried_loss_ <= loss_);
}

// can the trial be a state, and what it leads to an output? An objective may not look at all of it
bool Corrector::Move::is_admissible() const {
  for (int i = 0; i < d_; ++i) {
    if (!(std::fabs(c_.trial_[i]) <= kStateLimit)) return false;
  }
  for (int i = 0; i < m_; ++i) {
    if (!(std::fabs(c_.moved_[i]) <= std::numeric_limits<float>::max())) return false;
  }
  return true;
}

// base ← z + β(z⁰ − z), from where trials set out; nothing at the first micro-step
void Corrector::Move::drift() {
  const double beta = c_.options_.retraction.drift;
  for (int i = 0; beta > 0 && i < d_; ++i) c_.base_[i] = c_.z_[i] + beta * (c_.start_[i] - c_.z_[i]);
}

// trial ← Retr_z(αv), moved ← g(trial)
void Corrector::Move::retract(double alpha) {
  RetractionOptions options = c_.options_.retraction;
  // first order when time is short
  if (options.kind != Retraction::first_order && budget_.clock == Budget::Clock::wall &&
      !affords(0, 2 * c_.trial_step_.micros)) {
    options.kind = Retraction::first_order;
    report_.cut = true;
  }
  const Ray ray = {latent(options.drift > 0 ? c_.base_ : c_.z_), latent(c_.v_), output(c_.a_)};
  const RetractWork work = {latent(c_.bend_), latent(c_.pull_), output(c_.w_), output(c_.jet_), output(c_.lag_)};
  const bool bent =
      elastane::retract(options, pullback_, c_.geometry_, ray, alpha, work, latent(c_.trial_), output(c_.moved_));
  charge(Stage::trial, cost_.read + (bent ? cost_.read : 0));
  if (options.kind != Retraction::first_order) {
    charge(Stage::trial, c_.bend_macs(cost_));
    report_.products += 1 + 2 * c_.geometry_.cost().trusted;
  }
}

void Corrector::Move::accept(double alpha) {
  for (int i = 0; i < d_; ++i) c_.v_[i] *= alpha;
  c_.geometry_.learn(latent(c_.z_), latent(c_.v_), true);
  std::memcpy(c_.z_, c_.trial_, sizeof(double) * static_cast<std::size_t>(d_));
  std::memcpy(c_.y_, c_.moved_, sizeof(double) * static_cast<std::size_t>(m_));
  loss_ = tried_loss_;
  report_.horizon_after = tried_horizon_;
  mark(Stage::commit);
}

}  // namespace elastane
