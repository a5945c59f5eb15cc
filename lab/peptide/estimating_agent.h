// An agent that estimates torsions by dead reckoning: since it knows its own moves, its estimate is better than one
// observation.
//
//   θ̂ ← θ̂ + L·y                 the move that was made
//   θ̂ ← θ̂ + (observed − θ̂)/n    the mean of all observations, carried along
//
// Half a degree of noise in each of twenty torsions moves the ends of a chain by two tenths of an Å, as much as lies
// between a wall and a clash; the mean of ten observations has a third of that noise.
#pragma once

#include <memory>

#include "lab/peptide/agent.h"

namespace elastane::peptide {

class EstimatingAgent final : public Agent {
 public:
  explicit EstimatingAgent(std::unique_ptr<Agent> inner) : inner_(std::move(inner)) {}

  void begin(const Energy& energy) override;
  void act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
           std::span<float> y) override;
  AgentReport report() const override { return inner_->report(); }

 private:
  std::unique_ptr<Agent> inner_;
  int torsions_ = 0;
  int observations_ = 0;    // in the mean
  Torsions estimate_ = {};  // θ̂
};

}  // namespace elastane::peptide
