#include "lab/peptide/horizon_agent.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/math/dense.h"
#include "lab/peptide/observation.h"

namespace elastane::peptide {

HorizonAgent::HorizonAgent(std::unique_ptr<Agent> proposal, const HorizonOptions& options, const MoveOptions& move)
    : proposal_(std::move(proposal)),
      options_(options),
      move_(move),
      k_(kernels().value()),
      box_(options.horizon * kMaxTorsions) {
  const auto size = static_cast<std::size_t>(options.horizon * kMaxTorsions);
  plan_.resize(size), earlier_.resize(size), trial_.resize(size), step_.resize(size + kDoubleLane);
  slope_.resize(size), moves_.resize(size);
  points_.resize(static_cast<std::size_t>(options.horizon));
  system_.resize(size * static_cast<std::size_t>(double_stride(static_cast<int>(size))));
  curvature_.resize(kMaxTorsions * kMaxTorsions);
  input_.resize(kInputs), output_.resize(kOutputs);
}

void HorizonAgent::begin(const Energy& energy) {
  energy_ = &energy;
  proposal_->begin(energy);
  planned_ = false;
}

// the moves of the proposal, each from where the one before would have led
void HorizonAgent::propose(std::span<const float> x, std::span<const double> observed, const Contact& contact) {
  const auto n = static_cast<std::size_t>(energy_->chain().torsions());
  Torsions there = {};
  std::copy_n(observed.begin(), n, there.begin());
  std::copy(x.begin(), x.end(), input_.begin());
  for (int h = 0; h < options_.horizon; ++h) {
    if (h > 0) observe(*energy_, there, contact, probe_, input_);
    proposal_->act(input_, there, contact, output_);
    report_.macs += proposal_->report().macs;
    const std::span y = row(plan_, h);
    for (std::size_t t = 0; t < n; ++t) {
      y[t] = std::isfinite(output_[t]) ? std::clamp<double>(output_[t], -1, 1) : 0.0;
      there[t] += move_.limit * y[t];
    }
  }
}

// Σ γʰ (E after h + 1 steps + the cost of moving)
double HorizonAgent::value(const Moves& plan) const {
  const auto n = static_cast<std::size_t>(energy_->chain().torsions());
  Torsions there = from_;
  double sum = 0, weight = 1;
  for (int h = 0; h < options_.horizon; ++h, weight *= options_.discount) {
    const double* y = plan.data() + h * kMaxTorsions;
    double squares = 0;
    for (std::size_t t = 0; t < n; ++t) there[t] += move_.limit * y[t], squares += y[t] * y[t];
    sum += weight * (energy_->evaluate(there, contact_, probe_) + 0.5 * move_.smoothness * move_.smoothness * squares);
  }
  return sum;
}

// the lower triangle of the system from the upper one; y and −∇ℓ in a row
void HorizonAgent::mirror_system(Moves& plan) {
  const int n = energy_->chain().torsions(), size = n * options_.horizon, stride = double_stride(size);
  for (int at = 0; at < size; ++at) {
    const auto i = static_cast<std::size_t>(at);
    moves_[i] = row(plan, at / n)[static_cast<std::size_t>(at % n)];
    step_[i] = -slope_[i];
    for (int other = 0; other < at; ++other)
      system_[i * static_cast<std::size_t>(stride) + static_cast<std::size_t>(other)] =
          system_[static_cast<std::size_t>(other * stride + at)];
  }
}

// trial ← plan + s, every move within ±1
bool HorizonAgent::step_from(Moves& plan) {
  const int n = energy_->chain().torsions(), steps = options_.horizon, size = n * steps, stride = double_stride(size);
  mirror_system(plan);
  if (options_.boxed) {
    if (!box_.solve({system_.data(), size, stride}, slope_, moves_, step_)) return false;
  } else {
    if (!k_->cholesky(system_.data(), size, stride)) return false;
    solve_cholesky(system_.data(), size, stride, step_.data());
  }
  for (int h = 0; h < steps; ++h) {
    const auto first = static_cast<std::size_t>(h * n);
    double longest = 1;  // a boxed step is within it
    for (std::size_t t = first; t < first + static_cast<std::size_t>(n); ++t)
      longest = std::max(longest, std::fabs(moves_[t] + step_[t]));
    for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t)
      row(trial_, h)[t] = (moves_[first + t] + step_[first + t]) / longest;
  }
  return true;
}

// the energy after step h: it depends on the sum of the moves up to h
void HorizonAgent::add_energy(int h, double weight, std::span<const double> slope) {
  const int n = energy_->chain().torsions(), stride = double_stride(n * options_.horizon);
  const double limit = move_.limit;
  for (int a = 0; a <= h; ++a) {
    for (int t = 0; t < n; ++t) {
      slope_[static_cast<std::size_t>(a * n + t)] += weight * limit * slope[static_cast<std::size_t>(t)];
      for (int b = a; b <= h; ++b) {
        double* into = system_.data() + (a * n + t) * stride + b * n;
        const double* from = curvature_.data() + t * kMaxTorsions;
        for (int s = 0; s < n; ++s) into[s] += weight * limit * limit * from[s];
      }
    }
  }
}

// ∇ℓ, and the upper triangle of W + λI
void HorizonAgent::fill_system(Moves& plan, double damping) {
  const int n = energy_->chain().torsions(), steps = options_.horizon, stride = double_stride(n * steps);
  const double s2 = move_.smoothness * move_.smoothness;
  std::fill(system_.begin(), system_.end(), 0.0);
  std::fill(slope_.begin(), slope_.end(), 0.0);
  Torsions there = from_, slope = {};
  double weight = 1;
  for (int h = 0; h < steps; ++h, weight *= options_.discount) {
    const std::span y = row(plan, h);
    for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t) there[t] += move_.limit * y[t];
    EnergyPoint& point = points_[static_cast<std::size_t>(h)];
    energy_->evaluate(there, contact_, point);
    energy_->gradient(point, slope);
    energy_->curvature(point, {curvature_.data(), n, kMaxTorsions});
    add_energy(h, weight, slope);
    for (int t = 0; t < n; ++t) {
      const int at = h * n + t;
      system_[static_cast<std::size_t>(at * stride + at)] += weight * s2 + damping;
      slope_[static_cast<std::size_t>(at)] += weight * s2 * y[static_cast<std::size_t>(t)];
    }
  }
}

// one damped Gauss–Newton step of all moves
bool HorizonAgent::improve(Moves& plan, double& value_now, double& damping) {
  fill_system(plan, damping);
  ++report_.depth;
  report_.macs += static_cast<double>(BoxStep::macs(energy_->chain().torsions() * options_.horizon));
  if (!step_from(plan)) return false;
  const double tried = value(trial_);
  if (!(tried < value_now)) return false;
  std::swap(plan, trial_);
  value_now = tried;
  ++report_.accepted;
  return true;
}

void HorizonAgent::act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                       std::span<float> y) {
  report_ = {};
  std::copy_n(observed.begin(), energy_->chain().torsions(), from_.begin());
  const bool same = planned_ && contact == contact_;
  contact_ = contact;
  propose(x, observed, contact);
  double best = value(plan_);
  report_.loss_before = best;
  if (same) {
    // the previous plan shifted by one step; its last move is repeated
    std::copy(earlier_.begin() + kMaxTorsions, earlier_.end(), trial_.begin());
    std::copy(earlier_.end() - kMaxTorsions, earlier_.end(), trial_.end() - kMaxTorsions);
    if (const double shifted = value(trial_); shifted < best) best = shifted, std::swap(plan_, trial_);
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
