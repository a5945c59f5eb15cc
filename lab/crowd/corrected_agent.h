// A robot whose latent is its plan: every step the last plan and some other ways around people are corrected, and the
// best of them is followed.
//
//   forecast    where people will be                                            forecast.h
//   propose     the last plan, shifted; simple ways that turn off first: left, right, back, wait
//   correct     each of them, by Gauss–Newton steps in a trust region           way_objective.h, core/corrector.h
//   judge       what is forecast to collide, the sooner the worse; else the objective
#pragma once

#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "lab/crowd/agent.h"
#include "lab/crowd/plan_latent.h"
#include "lab/crowd/way_objective.h"

namespace elastane::crowd {

struct CorrectedOptions {
  PlanShape shape;
  ForecastOptions forecast;  // its steps are those of the plan
  WayOptions way;
  int starts = 3;                  // simple ways that are corrected, beside the last plan
  int depth = 12;                  // K: micro-steps of each correction
  Budget budget = Budget::none();  // of each correction
  double damping = 1e-3;           // λ, in units of the metric's mean eigenvalue
  double loyalty = 0.1;            // by how much another way must be better than the last plan
  double collision = 1000;         // what a collision in the very next step costs; less for later ones
};
Status validate(const CorrectedOptions& options);

class CorrectedAgent final : public Agent {
 public:
  // nothing after this allocates
  CorrectedAgent(const CorrectedOptions& options, std::size_t people);
  CorrectedAgent(const CorrectedAgent&) = delete;  // the objective views the forecast beside it
  CorrectedAgent& operator=(const CorrectedAgent&) = delete;

  void reset() override;
  Vec2 act(const View& view) override;

  const Forecast& forecast() const { return forecast_; }
  std::span<const double> places() const { return plan_.y; }  // that the plan leads to, step by step

 private:
  struct Way {
    std::vector<double> z, y;
    double cost = 0;
  };

  void shift_plan();
  void propose(const View& view);
  void lay_out(const View& view, Vec2 first, int knots, Way& way);
  void correct(Way& way);
  void judge(Way& way);

  CorrectedOptions options_;
  Forecast forecast_;
  PlanLatent latent_;
  WayObjective objective_;
  Corrector corrector_;
  std::vector<double> memory_;  // the corrector's
  Way plan_, candidate_;
  std::vector<Way> ways_;  // that compete with the plan
  bool begun_ = false;
};

}  // namespace elastane::crowd
