#include "lab/peptide/plan_agent.h"

#include <algorithm>
#include <cmath>

namespace elastane::peptide {

PlanAgent::PlanAgent(std::unique_ptr<Agent> proposal, const LevenbergOptions& levenberg, const MoveOptions& move)
    : proposal_(std::move(proposal)), levenberg_(levenberg), move_(move) {}

void PlanAgent::begin(const Energy& energy) {
  if (proposal_) proposal_->begin(energy);
  objective_.emplace(energy, move_);
}

void PlanAgent::act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                    std::span<float> y) {
  std::fill(y.begin(), y.end(), 0.0F);
  report_ = {};
  if (proposal_) {
    proposal_->act(x, observed, contact, y);
    report_ = proposal_->report();
  }
  Torsions move = {};
  const int n = objective_->energy().chain().torsions();
  for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t) move[t] = std::isfinite(y[t]) ? y[t] : 0.0;
  objective_->set_start(observed, contact);
  const LevenbergReport done = levenberg_.improve(*objective_, move);
  for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t) y[t] = static_cast<float>(move[t]);
  report_.depth += done.tried;
  report_.accepted += done.accepted;
  report_.condition += done.condition * done.tried;
  report_.loss_before = done.before, report_.loss_after = done.value;
  report_.macs += static_cast<double>(Levenberg::macs(n) * done.tried);
}

}  // namespace elastane::peptide
