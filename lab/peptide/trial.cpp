#include "lab/peptide/trial.h"

#include <algorithm>
#include <cstdlib>

namespace elastane::peptide {

int size_of_change(const Contact& from, const Contact& to) {
  const int residues = std::abs(from.i - to.i) + std::abs(from.j - to.j);
  return residues <= 2 ? 0 : residues <= 4 ? 1 : 2;
}

Trial::Trial(const Episode& episode, const Energy& energy, const MoveOptions& options)
    : episode_(&episode), energy_(&energy), options_(options), torsions_(episode.start) {
  energy_->evaluate(torsions_, contact(), point_);
}

Torsions Trial::observed() const {
  Random random(episode_->noise, static_cast<std::uint64_t>(step_) * 64);
  Torsions seen = torsions_;
  for (int t = 0; t < energy_->chain().torsions(); ++t) seen[static_cast<std::size_t>(t)] += kNoise * random.normal();
  return seen;
}

Torsions moved(const Torsions& torsions, std::span<const float> y, int count, double limit) {
  const auto n = static_cast<std::size_t>(count);
  double most = 1;
  for (std::size_t t = 0; t < n; ++t) most = std::isfinite(y[t]) ? std::fmax(most, std::fabs(y[t])) : most;
  Torsions after = torsions;
  for (std::size_t t = 0; t < n; ++t) {
    if (std::isfinite(y[t])) after[t] = wrapped(torsions[t] + limit * y[t] / most);
  }
  return after;
}

void Trial::move(std::span<const float> y) {
  torsions_ = moved(torsions_, y, energy_->chain().torsions(), options_.limit);
  energy_->evaluate(torsions_, contact(), point_);
  judge();
  ++step_;
}

double Trial::distance() const {
  const Contact asked = contact();
  return asked.is_asked() ? energy_->contact_distance(point_.conformation, asked) : 0.0;
}

void Trial::judge() {
  const bool clash = energy_->clashes(point_.conformation) > 0;
  clean_ = !clash && energy_->disallowed(point_.conformation) == 0;
  if (step_ < episode_->appears) return;
  cost_ += point_.terms.contact + point_.terms.wall + point_.terms.ramachandran;
  Record& record = records_[step_ < episode_->changes() ? 0 : 1];
  const int begun = step_ < episode_->changes() ? episode_->appears : episode_->changes();
  record.all_clashes += clash ? 1 : 0;
  if (record.met >= 0) return;
  record.clashes += clash ? 1 : 0;
  record.held = clean_ && distance() <= kContact ? record.held + 1 : 0;
  if (record.held == kHold) record.met = step_ - begun + 2 - kHold;  // the first step of those
}

benchmark::Outcome Trial::outcome() const {
  const Record &first = records_[0], &second = records_[1];
  benchmark::Outcome outcome{.world = episode_->world, .kind = episode_->kind};
  const bool single = !episode_->second.is_asked();
  outcome.success = first.met >= 0 && (single || second.met >= 0);
  outcome.steps = outcome.success ? first.met + std::max(second.met, 0) : episode_->ends() - episode_->appears;
  outcome.steps_after_change = single ? 0 : second.met >= 0 ? second.met : kWindow;
  outcome.violations = outcome.success ? first.clashes + second.clashes : first.all_clashes + second.all_clashes;
  return outcome;
}

}  // namespace elastane::peptide
