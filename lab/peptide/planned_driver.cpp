#include "lab/peptide/planned_driver.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/math/dense.h"
#include "lab/peptide/observation.h"

namespace elastane::peptide {

PlanDriver::PlanDriver(std::unique_ptr<Driver> proposal, const DescentOptions& descent, const MoveOptions& move)
    : proposal_(std::move(proposal)), descent_(descent), move_(move) {}

void PlanDriver::begin(const Energy& energy) {
  if (proposal_) proposal_->begin(energy);
  objective_.emplace(energy, move_);
}

void PlanDriver::drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                       std::span<float> y) {
  std::fill(y.begin(), y.end(), 0.0F);
  report_ = {};
  if (proposal_) {
    proposal_->drive(x, observed, contact, y);
    report_ = proposal_->report();
  }
  Torsions move = {};
  const int n = objective_->energy().chain().torsions();
  for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t) move[t] = std::isfinite(y[t]) ? y[t] : 0.0;
  objective_->begin_at(observed, contact);
  const DescentReport done = descent_.improve(*objective_, move);
  for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t) y[t] = static_cast<float>(move[t]);
  report_.depth += done.tried;
  report_.accepted += done.accepted;
  report_.condition += done.condition * done.tried;
  report_.loss_before = done.before, report_.loss_after = done.value;
  report_.macs += static_cast<double>(Descent::macs(n) * done.tried);
}

HorizonDriver::HorizonDriver(std::unique_ptr<Driver> proposal, const HorizonOptions& options, const MoveOptions& move)
    : proposal_(std::move(proposal)),
      options_(options),
      move_(move),
      k_(kernels().value()),
      box_(options.horizon * kMostTorsions) {
  const auto size = static_cast<std::size_t>(options.horizon * kMostTorsions);
  plan_.resize(size), earlier_.resize(size), trial_.resize(size), step_.resize(size + kDoubleLane);
  slope_.resize(size), moves_.resize(size);
  points_.resize(static_cast<std::size_t>(options.horizon));
  system_.resize(size * static_cast<std::size_t>(double_stride(static_cast<int>(size))));
  curvature_.resize(kMostTorsions * kMostTorsions);
  seen_.resize(kInputs), proposed_.resize(kOutputs);
}

void HorizonDriver::begin(const Energy& energy) {
  energy_ = &energy;
  proposal_->begin(energy);
  planned_ = false;
}

// the network's moves, each from where the one before would have led
void HorizonDriver::propose(std::span<const float> x, std::span<const double> observed, const Contact& contact) {
  const auto n = static_cast<std::size_t>(energy_->chain().torsions());
  Torsions there = {};
  std::copy_n(observed.begin(), n, there.begin());
  std::copy(x.begin(), x.end(), seen_.begin());
  for (int h = 0; h < options_.horizon; ++h) {
    if (h > 0) observe(*energy_, there, contact, probe_, seen_);
    proposal_->drive(seen_, there, contact, proposed_);
    report_.macs += proposal_->report().macs;
    const std::span y = row(plan_, h);
    for (std::size_t t = 0; t < n; ++t) {
      y[t] = std::isfinite(proposed_[t]) ? std::clamp<double>(proposed_[t], -1, 1) : 0.0;
      there[t] += move_.limit * y[t];
    }
  }
}

// Σ γʰ (E after h + 1 steps + the price of moving)
double HorizonDriver::value(const Plan& plan) const {
  const auto n = static_cast<std::size_t>(energy_->chain().torsions());
  Torsions there = from_;
  double sum = 0, weight = 1;
  for (int h = 0; h < options_.horizon; ++h, weight *= options_.discount) {
    const double* y = plan.data() + h * kMostTorsions;
    double squares = 0;
    for (std::size_t t = 0; t < n; ++t) there[t] += move_.limit * y[t], squares += y[t] * y[t];
    sum += weight * (energy_->evaluate(there, contact_, probe_) + 0.5 * move_.smoothness * move_.smoothness * squares);
  }
  return sum;
}

// trial ← plan + s, every move within ±1
bool HorizonDriver::step_from(Plan& plan) {
  const int n = energy_->chain().torsions(), steps = options_.horizon, size = n * steps, stride = double_stride(size);
  for (int at = 0; at < size; ++at) {
    const auto i = static_cast<std::size_t>(at);
    moves_[i] = row(plan, at / n)[static_cast<std::size_t>(at % n)];
    step_[i] = -slope_[i];
    for (int other = 0; other < at; ++other)
      system_[i * static_cast<std::size_t>(stride) + static_cast<std::size_t>(other)] =
          system_[static_cast<std::size_t>(other * stride + at)];
  }
  if (options_.boxed) {
    if (!box_.solve({system_.data(), size, stride}, slope_, moves_, step_)) return false;
  } else {
    if (!k_->cholesky(system_.data(), size, stride)) return false;
    solve_cholesky(system_.data(), size, stride, step_.data());
  }
  for (int h = 0; h < steps; ++h) {
    const auto first = static_cast<std::size_t>(h * n);
    double most = 1;  // a step that is boxed is within it
    for (std::size_t t = first; t < first + static_cast<std::size_t>(n); ++t)
      most = std::max(most, std::fabs(moves_[t] + step_[t]));
    for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t)
      row(trial_, h)[t] = (moves_[first + t] + step_[first + t]) / most;
  }
  return true;
}

// one damped Gauss–Newton step of all moves: E after h depends on the sum of the moves up to h
bool HorizonDriver::improve(Plan& plan, double& value_now, double& damping) {
  const int n = energy_->chain().torsions(), steps = options_.horizon, size = n * steps;
  const int stride = double_stride(size);
  const double limit = move_.limit, s2 = move_.smoothness * move_.smoothness;
  std::fill(system_.begin(), system_.end(), 0.0);
  std::fill(slope_.begin(), slope_.end(), 0.0);
  Torsions there = from_, slope = {};
  double weight = 1;
  for (int h = 0; h < steps; ++h, weight *= options_.discount) {
    const std::span y = row(plan, h);
    for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t) there[t] += limit * y[t];
    EnergyPoint& point = points_[static_cast<std::size_t>(h)];
    energy_->evaluate(there, contact_, point);
    energy_->gradient(point, slope);
    energy_->curvature(point, {curvature_.data(), n, kMostTorsions});
    for (int a = 0; a <= h; ++a) {
      for (int t = 0; t < n; ++t) {
        slope_[static_cast<std::size_t>(a * n + t)] += weight * limit * slope[static_cast<std::size_t>(t)];
        for (int b = a; b <= h; ++b) {
          double* into = system_.data() + (a * n + t) * stride + b * n;
          const double* from = curvature_.data() + t * kMostTorsions;
          for (int s = 0; s < n; ++s) into[s] += weight * limit * limit * from[s];
        }
      }
    }
    for (int t = 0; t < n; ++t) {
      const int at = h * n + t;
      system_[static_cast<std::size_t>(at * stride + at)] += weight * s2 + damping;
      slope_[static_cast<std::size_t>(at)] += weight * s2 * y[static_cast<std::size_t>(t)];
    }
  }
  ++report_.depth;
  report_.macs += static_cast<double>(BoxStep::macs(size));
  if (!step_from(plan)) return false;
  const double tried = value(trial_);
  if (!(tried < value_now)) return false;
  std::swap(plan, trial_);
  value_now = tried;
  ++report_.accepted;
  return true;
}

void HorizonDriver::drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                          std::span<float> y) {
  report_ = {};
  std::copy_n(observed.begin(), energy_->chain().torsions(), from_.begin());
  const bool same = planned_ && contact == contact_;
  contact_ = contact;
  propose(x, observed, contact);
  double best = value(plan_);
  report_.loss_before = best;
  if (same) {
    // what was planned, one step on; its last move is kept
    std::copy(earlier_.begin() + kMostTorsions, earlier_.end(), trial_.begin());
    std::copy(earlier_.end() - kMostTorsions, earlier_.end(), trial_.end() - kMostTorsions);
    if (const double carried = value(trial_); carried < best) best = carried, std::swap(plan_, trial_);
  }
  double damping = options_.damping;
  for (int n = 0; n < options_.iterations; ++n) damping *= improve(plan_, best, damping) ? 0.3 : 8;
  report_.loss_after = best;
  earlier_ = plan_;
  planned_ = true;
  std::fill(y.begin(), y.end(), 0.0F);
  for (std::size_t t = 0; t < static_cast<std::size_t>(energy_->chain().torsions()); ++t) {
    y[t] = static_cast<float>(plan_[t]);
  }
}

}  // namespace elastane::peptide
