// Real-time code only.
// ★ One correction: score, allocate, refine, commit. Real-time code only; what may allocate is in corrector_setup.cpp.
//
//   y = g(z),  ℓ = L(y),  s = ∇_y ℓ,  g = Jᵀs                                  score
//   v = −G⁻¹g,  κ = gᵀG⁻¹g                                                     solve
//   m′ = Σγʰ ∇ℓ_hᵀ J DΦ_h v,  q = Σγʰ (J DΦ_h v)ᵀW(J DΦ_h v) + λ‖v‖²             docs/science.md §1.10
//   α = min(−m′/q, ρ/‖v‖),  Δ_pred = −αm′ − ½α²q                               length
//   η = (m(z) − m(Retr_z(αv)))/Δ_pred                                          trial; α, α/2, α/4
#include "elastane/core/corrector/refine.h"

#include <cstring>

#include "elastane/core/base/denormals.h"
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

void Corrector::reset(double* memory) {
  for (std::size_t i = 0; i < memory_doubles(); ++i) memory[i] = 0;
  memory[0] = options_.trust.radius;
  geometry_.carve_memory(memory + double_stride(1));
  geometry_.reset_memory();
  gatekeeper_.reset(memory + gate_offset());
  anticipated_ = false;
}

void Corrector::anticipate(LatentModel& model, std::span<const double> z, double* memory) {
  const FlushDenormals flush;
  geometry_.carve_memory(memory + double_stride(1));
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
  geometry_.carve_memory(memory + double_stride(1));
  // it may come from a snapshot of a stream with another trust
  memory[0] = std::fmin(std::fmax(memory[0], options_.trust.smallest), options_.trust.largest);
  gatekeeper_.forget();
  anticipated_ = anticipated_ && std::memcmp(z_, z.data(), z.size_bytes()) == 0;
  const StepReport report = Move(*this, model, objective, budget, memory).run(z);
  anticipated_ = false;
  if (report.accepted > 0) std::memcpy(z.data(), z_, z.size_bytes());
  std::memcpy(y.data(), y_, y.size_bytes());
  return report;
}

StepReport Corrector::Move::run(std::span<const double> z) {
  if (begin(z) == Next::go_on) {
    report_.granted = c_.most_depth();  // unless a gate says less
    while (report_.depth < report_.granted && allocate() == Next::go_on) {
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
  observed_ = true;
  if (c_.options_.retraction.drift > 0) std::memcpy(c_.start_, c_.z_, sizeof(double) * static_cast<std::size_t>(d_));
  return Next::go_on;
}

Corrector::Move::Next Corrector::Move::micro_step() {
  look_ahead();
  if (score() == Next::stop || solve() == Next::stop) return Next::stop;
  if (report_.depth == 1 && c_.gatekeeper_.is_asked_after(GateSight::solve) && ask_gate() == Next::stop) {
    return Next::stop;
  }
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
  charge(Stage::metric, c_.anticipated_macs(cost_) - cost_.read - cost_.roll * c_.ahead_.count);
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
  charge(Stage::solve, c_.push_macs(cost_));
}

void Corrector::Move::pull(double* s, double* jts, Stage stage) {
  if (c_.geometry_.holds_jacobian()) {
    c_.geometry_.pull(output(s), latent(jts));
  } else {
    model_.vjp(as_row(s, m_), as_row(jts, d_));
    ++report_.products;
  }
  charge(stage, c_.pull_macs(cost_));
}

Corrector::Move::Next Corrector::Move::score() {
  objective_.gradient(output(c_.y_), output(c_.s_));  // s = ∇_y ℓ
  pull(c_.s_, c_.g_, Stage::score);                   // g = Jᵀs
  squares_ = dot(c_.g_, c_.g_, d_);
  mark(Stage::score);
  if (!std::isfinite(squares_)) return stop(Stop::not_finite);
  if (squares_ == 0 && !is_kalman()) return stop(Stop::zero_gradient);
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
  solved_ = true;
  return Next::go_on;
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
  remember();
  mark(Stage::other);
  report_.elapsed = marked_ - begun_;
  report_.overrun = budget_.overrun(report_.elapsed);
}

}  // namespace elastane
