// An agent whose latent is its plan: at every step it corrects the last plan and some other candidates, and follows the
// best.
//
//   forecast    predicts positions of people                                     forecast.h
//   propose     the last plan, shifted; simple plans that first turn left, right or back, or wait
//   correct     each of them, by Gauss–Newton steps in a trust region            objective.h, core/corrector/corrector.h
//   judge       the objective, plus a cost of predicted collisions: the sooner, the higher
#pragma once

#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "lab/crowd/agent.h"
#include "lab/crowd/objective.h"
#include "lab/crowd/plan_latent.h"

namespace elastane::crowd {

struct CorrectedOptions {
  PlanShape shape;
  ForecastOptions forecast;  // its number of steps is the plan's
  CostWeights weights;
  int starts = 3;  // simple plans that are corrected, besides the last plan
  int wait = 0;    // knots for which some simple plans keep their first velocity besides 1 and 3; 0: none
  int depth = 12;  // K: micro-steps of each correction
  Budget budget = Budget::none();  // of each correction
  double damping = 1e-3;           // λ, in units of the metric's mean eigenvalue
  double loyalty = 0.1;            // by how much another plan must be better than the last one
  double collision = 1000;         // cost of a collision in the next step; less for later ones
};
Status validate(const CorrectedOptions& options);

class CorrectedAgent final : public Agent {
 public:
  // nothing allocates after this
  CorrectedAgent(const CorrectedOptions& options, std::size_t people);
  CorrectedAgent(const CorrectedAgent&) = delete;  // the objective views the forecast beside it
  CorrectedAgent& operator=(const CorrectedAgent&) = delete;

  void begin() override;
  Vec2 act(const Observation& observation) override;

  const Forecast& forecast() const { return forecast_; }
  std::span<const double> positions() const { return plan_.y; }  // that the plan leads to, step by step

 private:
  struct Candidate {
    std::vector<double> z, y;
    double cost = 0;
  };

  void shift_plan();
  void propose(const Observation& observation);
  void lay_out(const Observation& observation, Vec2 first, int knots, Candidate& candidate);
  void correct(Candidate& candidate);
  void judge(Candidate& candidate, double most);  // a cost above `most` need not be exact

  CorrectedOptions options_;
  Forecast forecast_;
  PlanLatent latent_;
  PathObjective objective_;
  Corrector corrector_;
  std::vector<double> memory_;  // the corrector's
  Candidate plan_, tried_;
  std::vector<Candidate> candidates_;  // that compete with the plan
  bool begun_ = false;
};

}  // namespace elastane::crowd
