// ★ One correction: score, allocate, refine, commit. Real-time code only; what may allocate is in corrector_setup.cpp.
//
//   y = g(z),  ℓ = L(y),  s = ∇_y ℓ,  g = Jᵀs                                  score
//   v = −G⁻¹g,  κ = gᵀG⁻¹g                                                     solve
//   m′ = Σγʰ ∇ℓ_hᵀ J DΦ_h v,  q = Σγʰ (J DΦ_h v)ᵀW(J DΦ_h v) + λ‖v‖²             rollout's own model, SCIENCE §1.5 f
//   α = min(−m′/q, ρ/‖v‖),  Δ_pred = −αm′ − ½α²q                               length
//   η = (m(z) − m(Retr_z(αv)))/Δ_pred                                          trial; α, α/2, α/4
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "elastane/core/base/clock.h"
#include "elastane/core/base/denormals.h"
#include "elastane/core/corrector.h"
#include "elastane/core/math/inner.h"
#include "elastane/core/retract.h"

namespace elastane {
namespace {

// for reports: 0 where it is no number
double known(double value) { return std::isfinite(value) ? value : 0.0; }

bool all_finite(std::span<const double> x) {
  for (const double value : x) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

}  // namespace

// One correction under way: the moves of the list above, each a method. A move that ends the correction says why.
class Corrector::Move {
 public:
  Move(Corrector& c, LatentModel& model, const Objective& objective, const Budget& budget, double* memory)
      : c_(c),
        model_(model),
        objective_(objective),
        budget_(budget),
        cost_(model.cost()),
        radius_(memory[0]),
        d_(c.latents_),
        m_(c.outputs_),
        pullback_(model, &objective, output(c.y_)),
        begun_(now_micros()),
        marked_(begun_) {}

  StepReport run(std::span<const double> z);

 private:
  enum class Next : std::uint8_t { go_on, stop };

  Next begin(std::span<const double> z);
  Next allocate();
  Next micro_step();
  void look_ahead();
  Next score();
  Next solve();
  Next model_loss();
  Next try_lengths(double alpha, bool capped);
  bool try_length(double alpha);
  bool is_admissible() const;
  void retract(double alpha);
  void accept(double alpha);
  Next agree(Stop why);
  void finish();

  void push(double* v, double* jv);                // J v
  void pull(double* s, double* jts, Stage stage);  // Jᵀs
  bool affords(double madds, double micros) const;
  double horizon_loss(double now, ConstColumns ahead) const;
  bool is_literal() const { return c_.geometry_.kind() == Metric::literal; }
  bool is_kalman() const { return c_.geometry_.kind() == Metric::kalman; }
  // does G hold the whole curvature along v, prior included, so that ‖v‖² = κ?
  bool is_whole() const { return is_kalman() || c_.geometry_.kind() == Metric::native; }

  std::span<double> latent(double* at) const { return {at, static_cast<std::size_t>(d_)}; }
  std::span<double> output(double* at) const { return {at, static_cast<std::size_t>(m_)}; }
  Columns as_row(double* at, int n) const { return {at, 1, column_stride(n)}; }
  Next stop(Stop why) {
    report_.stop = why;
    return Next::stop;
  }
  void charge(Stage stage, std::int64_t madds) {
    report_.madds[static_cast<int>(stage)] += madds;
    spent_ += static_cast<double>(madds);
  }
  void mark(Stage stage) {
    const double t = now_micros();
    report_.micros[static_cast<int>(stage)] += t - marked_;
    marked_ = t;
  }

  Corrector& c_;
  LatentModel& model_;
  const Objective& objective_;
  const Budget& budget_;
  const LatentCost cost_;
  double& radius_;
  const int d_, m_;
  PointPullback pullback_;
  StepReport report_;
  double begun_, marked_, spent_ = 0;

  double loss_ = 0, horizon_ = 0;                // ℓ and Σγʰℓ_h at the point
  double slope_ = 0, curvature_ = 0, norm_ = 0;  // m′, q and ‖v‖ of the direction
  double tried_loss_ = 0, tried_horizon_ = 0;    // ℓ and Σγʰℓ_h at the trial
};

void Corrector::reset(double* memory) {
  for (std::size_t i = 0; i < memory_doubles(); ++i) memory[i] = 0;
  memory[0] = options_.trust.radius;
  geometry_.carve_memory(memory + column_stride(1));
  geometry_.reset_memory();
  anticipated_ = false;
}

void Corrector::anticipate(LatentModel& model, std::span<const double> z, double* memory) {
  const FlushDenormals flush;
  geometry_.carve_memory(memory + column_stride(1));
  std::memcpy(z_, z.data(), z.size_bytes());
  const std::span<double> y = {y_, static_cast<std::size_t>(outputs_)};
  model.linearise({z_, z.size()}, y);
  PointPullback pullback(model, nullptr, y);
  if (ahead_.count > 0) model.roll_point(ahead_);
  geometry_.anticipate(pullback);
  anticipated_ = true;
}

StepReport Corrector::correct(LatentModel& model, const Objective& objective, const Budget& budget, std::span<double> z,
                              std::span<double> y, double* memory) {
  const FlushDenormals flush;
  geometry_.carve_memory(memory + column_stride(1));
  // it may come from a snapshot of a stream with another trust
  memory[0] = std::fmin(std::fmax(memory[0], options_.trust.smallest), options_.trust.largest);
  anticipated_ = anticipated_ && std::memcmp(z_, z.data(), z.size_bytes()) == 0;
  const StepReport report = Move(*this, model, objective, budget, memory).run(z);
  anticipated_ = false;
  if (report.accepted > 0) std::memcpy(z.data(), z_, z.size_bytes());
  std::memcpy(y.data(), y_, y.size_bytes());
  return report;
}

StepReport Corrector::Move::run(std::span<const double> z) {
  if (begin(z) == Next::go_on) {
    // an observation counts once: a second micro-step would shrink the covariance by it again
    const int most = is_kalman() ? std::min(1, most_steps(c_.options_.gate)) : most_steps(c_.options_.gate);
    while (report_.depth < most && allocate() == Next::go_on) {
      const double micro_begun = marked_;
      report_.depth += 1;
      const Next next = micro_step();
      c_.micro_step_.observe(marked_ - micro_begun);
      if (next == Next::stop) break;
      report_.accepted += 1;
    }
  }
  finish();
  return report_;
}

// y = g(z) and ℓ; what is no number ends here
Corrector::Move::Next Corrector::Move::begin(std::span<const double> z) {
  if (!c_.anticipated_) {
    std::memcpy(c_.z_, z.data(), z.size_bytes());
    model_.linearise(latent(c_.z_), output(c_.y_));
    charge(Stage::score, cost_.read);
  }
  if (objective_.empty()) return stop(Stop::nothing_observed);
  loss_ = objective_.value(output(c_.y_));
  report_.loss_before = loss_;
  mark(Stage::score);
  if (!all_finite(output(c_.y_)) || !std::isfinite(loss_)) return stop(Stop::not_finite);
  return Next::go_on;
}

// does this moment deserve, and the budget admit, one more micro-step?
Corrector::Move::Next Corrector::Move::allocate() {
  if (!worth_scoring(c_.options_.gate, loss_)) return stop(Stop::gate);
  double madds = static_cast<double>(c_.micro_step_madds(cost_));
  if (report_.depth == 0) madds -= static_cast<double>(c_.anticipated_ ? c_.anticipated_madds(cost_) : cost_.read);
  if (affords(madds, c_.micro_step_.micros)) return Next::go_on;
  c_.micro_step_.refuse();
  report_.cut = true;
  return stop(Stop::budget);
}

bool Corrector::Move::affords(double madds, double micros) const {
  switch (budget_.clock) {
    case Budget::Clock::none: return true;
    case Budget::Clock::wall: return now_micros() - begun_ + micros < budget_.limit;  // nothing fits in no time
    case Budget::Clock::counted: return spent_ + madds <= budget_.limit;
  }
  return true;
}

Corrector::Move::Next Corrector::Move::micro_step() {
  look_ahead();
  if (score() == Next::stop || solve() == Next::stop) return Next::stop;
  return model_loss();
}

// what needs no observation: the decoder's derivatives at the point, and where it goes from there
void Corrector::Move::look_ahead() {
  if (report_.depth == 1 && c_.anticipated_) return;
  if (report_.depth > 1) {
    model_.linearise(latent(c_.z_), output(c_.y_));
    charge(Stage::score, cost_.read);
    mark(Stage::score);
  }
  if (c_.ahead_.count > 0) model_.roll_point(c_.ahead_);
  charge(Stage::rollout, cost_.roll * c_.ahead_.count);
  mark(Stage::rollout);
  c_.geometry_.anticipate(pullback_);
  charge(Stage::metric, c_.anticipated_madds(cost_) - cost_.read - cost_.roll * c_.ahead_.count);
  report_.products += c_.geometry_.cost().anticipated_jvp + c_.geometry_.cost().anticipated_vjp;
  mark(Stage::metric);
}

// through the decoder, unless the metric has J
void Corrector::Move::push(double* v, double* jv) {
  if (c_.geometry_.holds_jacobian()) {
    c_.geometry_.push(latent(v), output(jv));
  } else {
    model_.jvp(as_row(v, d_), as_row(jv, m_));
    ++report_.products;
  }
  charge(Stage::solve, c_.push_madds(cost_));
}

void Corrector::Move::pull(double* s, double* jts, Stage stage) {
  if (c_.geometry_.holds_jacobian()) {
    c_.geometry_.pull(output(s), latent(jts));
  } else {
    model_.vjp(as_row(s, m_), as_row(jts, d_));
    ++report_.products;
  }
  charge(stage, c_.pull_madds(cost_));
}

Corrector::Move::Next Corrector::Move::score() {
  objective_.gradient(output(c_.y_), output(c_.s_));  // s = ∇_y ℓ
  pull(c_.s_, c_.g_, Stage::score);                   // g = Jᵀs
  const double squares = dot(c_.g_, c_.g_, d_);
  mark(Stage::score);
  if (!std::isfinite(squares)) return stop(Stop::not_finite);
  if (squares == 0 && !is_kalman()) return stop(Stop::zero_gradient);
  return Next::go_on;
}

Corrector::Move::Next Corrector::Move::solve() {
  Geometry& geometry = c_.geometry_;
  const Geometry::Cost cost = geometry.cost();
  const bool prepared = geometry.kind() == Metric::native || geometry.prepare(pullback_, latent(c_.g_));
  mark(Stage::metric);
  charge(Stage::metric, cost.own + cost.jvp * cost_.jvp + cost.vjp * cost_.vjp);
  report_.products += cost.jvp + cost.vjp;
  if (geometry.kind() == Metric::native) charge(Stage::solve, cost_.solve);
  const bool solved =
      prepared && (geometry.kind() == Metric::native
                       ? model_.solve(objective_, output(c_.y_), latent(c_.g_), latent(c_.v_))
                       : geometry.solve(pullback_, output(c_.s_), latent(c_.g_), latent(c_.v_)));  // v = −G⁻¹g
  const double kappa = solved ? -dot(c_.g_, c_.v_, d_) : 0.0;                                      // κ = gᵀG⁻¹g
  report_.kappa = known(kappa);
  report_.damping = known(geometry.damping());
  report_.condition = known(geometry.condition());
  mark(Stage::solve);
  if (!solved || !std::isfinite(kappa) || kappa < 0) return stop(Stop::singular);
  if (kappa == 0) return agree(Stop::zero_gradient);
  return Next::go_on;
}

// a quadratic model of the rollout's loss along v, and the length it asks for
Corrector::Move::Next Corrector::Move::model_loss() {
  const double lambda = c_.geometry_.base_damping(), prior = lambda * dot(c_.v_, c_.v_, d_);
  push(c_.v_, c_.a_);  // a = Jv
  objective_.gauss_newton(output(c_.y_), as_row(c_.a_, m_), as_row(c_.w_, m_));
  const double bent = dot(c_.a_, c_.w_, m_);  // aᵀWa
  norm_ = std::sqrt(is_whole() ? report_.kappa : bent + prior);
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
  const Length length = is_whole() ? Length{1.0, false} : choose_length(slope_, curvature_, norm_, radius_);
  return try_lengths(length.alpha, length.capped);
}

double Corrector::Move::horizon_loss(double now, ConstColumns ahead) const {
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
  if (!(report_.predicted > least)) return agree(Stop::converged);
  if (!worth_refining(c_.options_.gate, report_.predicted)) return stop(Stop::gate);

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

// trial ← Retr_z(αv), moved ← g(trial)
void Corrector::Move::retract(double alpha) {
  RetractionOptions options = c_.options_.retraction;
  // first order when time is short
  if (options.kind != Retraction::first_order && budget_.clock == Budget::Clock::wall &&
      !affords(0, 2 * c_.trial_step_.micros)) {
    options.kind = Retraction::first_order;
    report_.cut = true;
  }
  const Ray ray = {latent(c_.z_), latent(c_.v_), output(c_.a_)};
  const RetractWork work = {latent(c_.bend_), latent(c_.pull_), output(c_.w_), output(c_.jet_), output(c_.lag_)};
  const bool bent =
      elastane::retract(options, pullback_, c_.geometry_, ray, alpha, work, latent(c_.trial_), output(c_.moved_));
  charge(Stage::trial, cost_.read + (bent ? cost_.read : 0));
  if (options.kind != Retraction::first_order) {
    charge(Stage::trial, c_.bend_madds(cost_));
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

// The observation says what the output says already, so there is nowhere to go. It was an observation all the same, and
// a covariance shrinks by it
Corrector::Move::Next Corrector::Move::agree(Stop why) {
  if (is_kalman()) c_.geometry_.learn(latent(c_.z_), latent(c_.v_), true);
  return stop(why);
}

void Corrector::Move::finish() {
  report_.metric = c_.geometry_.kind();
  report_.loss_after = loss_;
  if (report_.accepted == 0) report_.horizon_after = report_.horizon_before;
  report_.radius = radius_;
  mark(Stage::other);
  report_.elapsed = marked_ - begun_;
  report_.overrun = budget_.overrun(report_.elapsed);
}

}  // namespace elastane
