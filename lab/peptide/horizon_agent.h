// An agent with model-predictive control: a proposal for each of H steps, then Gauss–Newton on all of them together.
#pragma once

#include <memory>
#include <vector>

#include "elastane/core/math/kernels.h"
#include "lab/peptide/agent.h"
#include "lab/peptide/box_step.h"
#include "lab/peptide/objective.h"

namespace elastane::peptide {

struct HorizonOptions {
  int horizon = 3;         // H
  int iterations = 2;      // of Gauss–Newton
  double damping = 1;      // λ
  double discount = 0.97;  // γ
  bool boxed = false;      // as in levenberg.h
};

// The proposal must have no memory: it acts again at every step ahead, as if the chain had got there. The plan of the
// previous step, shifted by one, is tried as well.
class HorizonAgent final : public Agent {
 public:
  HorizonAgent(std::unique_ptr<Agent> proposal, const HorizonOptions& options, const MoveOptions& move = {});

  void begin(const Energy& energy) override;
  void act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
           std::span<float> y) override;
  AgentReport report() const override { return report_; }

 private:
  using Moves = std::vector<double>;  // [H][kMaxTorsions]

  void propose(std::span<const float> x, std::span<const double> observed, const Contact& contact);
  double value(const Moves& plan) const;
  void fill_system(Moves& plan, double damping);
  void add_energy(int h, double weight, std::span<const double> slope);
  void mirror_system(Moves& plan);
  bool step_from(Moves& plan);
  bool improve(Moves& plan, double& value, double& damping);
  std::span<double> row(Moves& plan, int h) const { return {plan.data() + h * kMaxTorsions, kMaxTorsions}; }

  std::unique_ptr<Agent> proposal_;
  HorizonOptions options_;
  MoveOptions move_;
  const Kernels* k_;
  BoxStep box_;
  const Energy* energy_ = nullptr;
  Torsions from_ = {};
  Contact contact_;
  AgentReport report_;
  bool planned_ = false;
  //                                       meaning                                shape
  Moves plan_, earlier_, trial_;        // y of every step; of the step before    [H][22]
  std::vector<EnergyPoint> points_;     // E after every step                     [H]
  mutable EnergyPoint probe_;           // scratch
  std::vector<double> system_, slope_;  // W + λI of all steps, and ∇ℓ            [22H][24·H]
  std::vector<double> step_, moves_;    // the step of all moves, and y           [22H]
  std::vector<double> curvature_;       // W after one step                       [22][22]
  std::vector<float> input_, output_;   // x and y of a step ahead
};

}  // namespace elastane::peptide
