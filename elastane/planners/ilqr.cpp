#include "elastane/planners/ilqr.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/math/dense.h"
#include "elastane/planners/eigen_view.h"
#include "elastane/planners/out_of_range.h"

namespace elastane::planners {
namespace {

constexpr double kLengths[] = {1.0, 0.5, 0.25};
constexpr double kLeastShare = 1e-4;   // of the predicted decrease that a trial must reach
constexpr double kNegligible = 1e-12;  // relative decrease below which the plan has converged
constexpr double kRaise = 10;          // of λ after a failed sweep
constexpr double kLargestLambda = 1e8;

std::span<const double> row_of(ConstDoubleRows rows, int r, int n) { return {rows[r], static_cast<std::size_t>(n)}; }

}  // namespace

Status validate(const IlqrOptions& o) {
  if (o.horizon < 1 || o.horizon > 1000) return out_of_range("ilqr", "horizon", "1 to 1000", o.horizon);
  if (o.sweeps < 1 || o.sweeps > 1000) return out_of_range("ilqr", "sweeps", "1 to 1000", o.sweeps);
  // negated, so that NaN fails too
  if (!(o.regularisation >= 0 && o.regularisation <= kLargestLambda))
    return out_of_range("ilqr", "regularisation", "0 to 1e8", o.regularisation);
  return {};
}

Ilqr::Ilqr(const IlqrOptions& options, int states, int controls)
    : options_(options),
      n_(states),
      m_(controls),
      kernels_(kernels().value()),
      states_(options.horizon + 1, states),
      tried_states_(options.horizon + 1, states),
      tried_controls_(options.horizon, controls),
      feedback_(static_cast<std::size_t>(options.horizon), Matrix(controls, states)),
      feedforward_(options.horizon, controls),
      a_(states, states),
      b_(states, controls),
      q_x_(static_cast<std::size_t>(states)),
      q_u_(static_cast<std::size_t>(controls)),
      q_xx_(states, states),
      q_ux_(controls, states),
      q_uu_(controls, controls),
      v_x_(static_cast<std::size_t>(states)),
      v_xx_(states, states),
      factor_(controls, controls),
      va_(states, states),
      vb_(states, controls),
      qk_(controls, states),
      offset_(q_x_),
      column_(q_u_) {}

IlqrReport Ilqr::improve(const Dynamics& dynamics, const StageCost& cost, std::span<const double> x,
                         DoubleRows controls) {
  IlqrReport report;
  report.cost_before = report.cost_after = roll_out(dynamics, cost, x, controls);
  lambda_ = options_.regularisation;
  while (report.sweeps < options_.sweeps && !report.converged) {
    report.sweeps += 1;
    bool accepted = false;
    if (sweep_back(dynamics, cost, controls)) {
      report.converged = -slope_ <= kNegligible * (1 + std::fabs(report.cost_after));
      for (const double alpha : kLengths) {
        if (report.converged || accepted) break;
        const double predicted = -(alpha * slope_ + 0.5 * alpha * alpha * bend_);
        const double tried = try_length(dynamics, cost, controls, alpha);
        accepted = tried <= report.cost_after - kLeastShare * predicted;  // false for NaN
        if (!accepted) continue;
        report.cost_after = tried;
        report.alpha = alpha;
        report.accepted += 1;
        for (int h = 0; h < options_.horizon; ++h) std::ranges::copy(tried_controls_.row(h), controls[h]);
        std::swap(states_, tried_states_);
      }
    }
    // a failed sweep is repeated with a larger λ, closer to the gradient; a good one lowers λ again
    lambda_ = accepted ? std::max(options_.regularisation, lambda_ / kRaise)
                       : std::min(kLargestLambda, std::max(lambda_, 1e-6) * kRaise);
  }
  return report;
}

double Ilqr::roll_out(const Dynamics& dynamics, const StageCost& cost, std::span<const double> x,
                      ConstDoubleRows controls) {
  std::ranges::copy(x, states_.row(0).begin());
  double sum = 0;
  for (int h = 0; h < options_.horizon; ++h) {
    const auto u = row_of(controls, h, m_);
    sum += cost.value(h, states_.row(h), u);
    dynamics.step(states_.row(h), u, states_.row(h + 1));
  }
  return sum + cost.value(options_.horizon, states_.row(options_.horizon), {});
}

// the cost with u = u_h + α k_h + K_h (x − x_h)                                            (Tassa et al., eq. 12)
double Ilqr::try_length(const Dynamics& dynamics, const StageCost& cost, ConstDoubleRows controls, double alpha) {
  std::ranges::copy(states_.row(0), tried_states_.row(0).begin());
  double sum = 0;
  for (int h = 0; h < options_.horizon; ++h) {
    const auto x = tried_states_.row(h), u = tried_controls_.row(h);
    as_eigen(u) = as_eigen(row_of(controls, h, m_)) + alpha * as_eigen(feedforward_.row(h));
    as_eigen(offset_) = as_eigen(x) - as_eigen(states_.row(h));
    as_eigen(u).noalias() += as_eigen(feedback(h)).lazyProduct(as_eigen(offset_));
    sum += cost.value(h, x, u);
    dynamics.step(x, u, tried_states_.row(h + 1));
  }
  return sum + cost.value(options_.horizon, tried_states_.row(options_.horizon), {});
}

// the Riccati recursion, from the end of the horizon back; false if Q_uu + λI is not positive definite
bool Ilqr::sweep_back(const Dynamics& dynamics, const StageCost& cost, ConstDoubleRows controls) {
  slope_ = bend_ = 0;
  expand(cost, options_.horizon, {});
  v_x_ = q_x_, v_xx_ = q_xx_;
  for (int h = options_.horizon - 1; h >= 0; --h) {
    const auto u = row_of(controls, h, m_);
    a_.fill(0), b_.fill(0);
    dynamics.linearise(states_.row(h), u, a_.view(), b_.view());
    expand(cost, h, u);
    pull_back();
    if (!solve_gains(h)) return false;
    add_gain_to_value(h);
  }
  return std::isfinite(slope_) && std::isfinite(bend_);
}

void Ilqr::expand(const StageCost& cost, int h, std::span<const double> u) {
  std::ranges::fill(q_x_, 0.0), std::ranges::fill(q_u_, 0.0);
  q_xx_.fill(0), q_ux_.fill(0), q_uu_.fill(0);
  cost.expand(h, states_.row(h), u, {q_x_, q_u_, q_xx_.view(), q_ux_.view(), q_uu_.view()});
}

// the cost-to-go, seen from before the step                                                 (Tassa et al., eq. 5)
void Ilqr::pull_back() {
  const auto a = as_eigen(a_), b = as_eigen(b_), v_xx = as_eigen(v_xx_);
  as_eigen(va_).noalias() = v_xx.lazyProduct(a);
  as_eigen(vb_).noalias() = v_xx.lazyProduct(b);
  as_eigen(q_x_).noalias() += a.transpose().lazyProduct(as_eigen(v_x_));  // Q_x  = ℓ_x  + AᵀV_x
  as_eigen(q_u_).noalias() += b.transpose().lazyProduct(as_eigen(v_x_));  // Q_u  = ℓ_u  + BᵀV_x
  as_eigen(q_xx_).noalias() += a.transpose().lazyProduct(as_eigen(va_));  // Q_xx = ℓ_xx + AᵀV_xx A
  as_eigen(q_ux_).noalias() += b.transpose().lazyProduct(as_eigen(va_));  // Q_ux = ℓ_ux + BᵀV_xx A
  as_eigen(q_uu_).noalias() += b.transpose().lazyProduct(as_eigen(vb_));  // Q_uu = ℓ_uu + BᵀV_xx B
}

bool Ilqr::solve_gains(int h) {
  factor_ = q_uu_;
  as_eigen(factor_).diagonal().array() += lambda_;
  double* const factor = factor_.values().data();
  if (!kernels_->cholesky(factor, m_, m_)) return false;

  const auto k = as_eigen(feedforward_.row(h));
  as_eigen(feedforward_.row(h)) = -as_eigen(q_u_);
  solve_cholesky(factor, m_, m_, feedforward_.row(h).data());  // k = −(Q_uu + λI)⁻¹Q_u
  auto gain = as_eigen(feedback_[static_cast<std::size_t>(h)]);
  for (int j = 0; j < n_; ++j) {
    as_eigen(column_) = -as_eigen(q_ux_).col(j);
    solve_cholesky(factor, m_, m_, column_.data());  // K = −(Q_uu + λI)⁻¹Q_ux
    gain.col(j) = as_eigen(column_);
  }
  slope_ += k.dot(as_eigen(q_u_));
  bend_ -= k.dot(as_eigen(q_u_)) + lambda_ * k.squaredNorm();  // kᵀQ_uu k, since (Q_uu + λI)k = −Q_u
  return true;
}

// the cost-to-go with these gains, in the form that also holds for λ > 0                     (Tassa et al., eq. 11)
void Ilqr::add_gain_to_value(int h) {
  const auto k = as_eigen(feedforward_.row(h));
  const auto gain = as_eigen(feedback(h));
  as_eigen(qk_) = as_eigen(q_ux_);
  as_eigen(qk_).noalias() += as_eigen(q_uu_).lazyProduct(gain);  // Q_ux + Q_uu K
  as_eigen(v_x_) = as_eigen(q_x_);
  as_eigen(v_x_).noalias() += as_eigen(qk_).transpose().lazyProduct(k);      // V_x  = Q_x + (Q_ux + Q_uu K)ᵀk
  as_eigen(v_x_).noalias() += gain.transpose().lazyProduct(as_eigen(q_u_));  //        + KᵀQ_u
  as_eigen(v_xx_) = as_eigen(q_xx_);
  as_eigen(v_xx_).noalias() += as_eigen(qk_).transpose().lazyProduct(gain);    // V_xx = Q_xx + (Q_ux + Q_uu K)ᵀK
  as_eigen(v_xx_).noalias() += gain.transpose().lazyProduct(as_eigen(q_ux_));  //        + KᵀQ_ux
  as_eigen(va_) = as_eigen(v_xx_).transpose();
  as_eigen(v_xx_) = 0.5 * (as_eigen(v_xx_) + as_eigen(va_));  // symmetric except for rounding
}

}  // namespace elastane::planners
