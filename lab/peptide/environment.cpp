#include "lab/peptide/environment.h"

#include <algorithm>
#include <cmath>

namespace elastane::peptide {

Environment::Environment(const Episode& episode, const Energy& energy, const MoveOptions& options)
    : episode_(&episode), energy_(&energy), options_(options), torsions_(episode.start) {
  energy_->evaluate(torsions_, contact(), point_);
}

Torsions Environment::observed() const {
  Random random(episode_->noise, static_cast<std::uint64_t>(step_) * 64);
  Torsions observed = torsions_;
  for (int t = 0; t < energy_->chain().torsions(); ++t)
    observed[static_cast<std::size_t>(t)] += kNoise * random.normal();
  return observed;
}

Torsions moved(const Torsions& torsions, std::span<const float> y, int count, double limit) {
  const auto n = static_cast<std::size_t>(count);
  double longest = 1;
  for (std::size_t t = 0; t < n; ++t) longest = std::isfinite(y[t]) ? std::fmax(longest, std::fabs(y[t])) : longest;
  Torsions after = torsions;
  for (std::size_t t = 0; t < n; ++t) {
    if (std::isfinite(y[t])) after[t] = wrapped(torsions[t] + limit * y[t] / longest);
  }
  return after;
}

void Environment::move(std::span<const float> y) {
  torsions_ = moved(torsions_, y, energy_->chain().torsions(), options_.limit);
  energy_->evaluate(torsions_, contact(), point_);
  update_record();
  ++step_;
}

double Environment::distance() const {
  const Contact requested = contact();
  return requested.is_requested() ? energy_->contact_distance(point_.conformation, requested) : 0.0;
}

void Environment::update_record() {
  const bool clash = energy_->clashes(point_.conformation) > 0;
  clean_ = !clash && energy_->disallowed(point_.conformation) == 0;
  if (step_ < episode_->appears) return;
  cost_ += point_.terms.contact + point_.terms.wall + point_.terms.ramachandran;
  Record& record = records_[step_ < episode_->changes() ? 0 : 1];
  const int start = step_ < episode_->changes() ? episode_->appears : episode_->changes();
  record.all_clashes += clash ? 1 : 0;
  if (record.met >= 0) return;
  record.clashes += clash ? 1 : 0;
  record.held = clean_ && distance() <= kContact ? record.held + 1 : 0;
  if (record.held == kHold) record.met = step_ - start + 2 - kHold;  // the first of these steps
}

benchmark::Outcome Environment::outcome() const {
  const Record &first = records_[0], &second = records_[1];
  benchmark::Outcome outcome{.world = episode_->world, .kind = episode_->kind};
  const bool single = !episode_->second.is_requested();
  outcome.success = first.met >= 0 && (single || second.met >= 0);
  outcome.steps = outcome.success ? first.met + std::max(second.met, 0) : episode_->ends() - episode_->appears;
  outcome.steps_after_change = single ? 0 : second.met >= 0 ? second.met : kWindow;
  outcome.violations = outcome.success ? first.clashes + second.clashes : first.all_clashes + second.all_clashes;
  return outcome;
}

}  // namespace elastane::peptide
