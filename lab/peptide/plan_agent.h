// An agent that corrects decoded moves, not the latent behind them: a proposal, then Gauss–Newton on its torsions.
#pragma once

#include <memory>
#include <optional>

#include "lab/peptide/agent.h"
#include "lab/peptide/levenberg.h"

namespace elastane::peptide {

// without a proposal, it starts from standing still
class PlanAgent final : public Agent {
 public:
  PlanAgent(std::unique_ptr<Agent> proposal, const LevenbergOptions& levenberg, const MoveOptions& move = {});

  void begin(const Energy& energy) override;
  void act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
           std::span<float> y) override;
  AgentReport report() const override { return report_; }

 private:
  std::unique_ptr<Agent> proposal_;
  Levenberg levenberg_;
  MoveOptions move_;
  std::optional<MoveObjective> objective_;
  AgentReport report_;
};

}  // namespace elastane::peptide
