// The cost of a path through a crowd: soon at the goal, apart from predicted positions of people, not too fast, smooth.
//
//   ℓ(y) = Σ_h c_h √(‖y_h − goal‖² + ε²)                   progress: distance from the goal, times its duration
//        + ½w_p Σ_h Σ_i max(0, margin − gap_hi)²           people: the smallest gap during step h
//        + ½w_v Σ_h max(0, ‖v_h‖ − limit)²                 speed
//        + ½w_s Σ_h ‖v_h − v_{h−1}‖²                        smoothness
//
// y_h is the position after step h, v_h the velocity of that step. The curvature W is Gauss–Newton's, except for the first
// term, whose second derivative is used. Both are positive semi-definite and couple a position with its next two.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "elastane/core/objective/objective.h"
#include "lab/crowd/forecast.h"

namespace elastane::crowd {

struct CostWeights {
  double progress = 1;       // c_h: per metre and second
  double beyond = 2;         // additional seconds that the last position counts for
  double people = 200;       // w_p
  double margin = 0.1;       // metres between borders
  double margin_growth = 0;  // metres per second ahead, since forecasts get worse
  double speed = 50;         // w_v
  double smoothness = 0.1;   // w_s
  double safe = -1;          // metres between borders that a correction must not come below; negative: not a constraint
};

inline constexpr int kMostSteps = 32;

class PathObjective final : public Objective {
 public:
  // views the forecast, which predicts at least `steps` steps; nothing allocates after this
  PathObjective(const CostWeights& weights, int steps, const Forecast& forecast);

  // a new step: the robot, its goal, and what the forecast says by now
  void begin(const MovingDisc& robot, Vec2 goal) { robot_ = robot, goal_ = goal, known_ = false; }

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;
  const Objective& at(int /*h*/) const override { return *this; }  // a path already holds its future

  // The value, plus `collision` times the squared share of the path from its first collision on: a later one is better,
  // since forecasts may be wrong and there is time to replan. A sum that exceeds `most` is not completed.
  double judge(std::span<const double> y, double collision, double most) const;

  // how deep the robot and people come into each other, or nearer than the safe distance: the sum over the path
  double violation(std::span<const double> y) const override;

 private:
  // the closest point of a step to a person who comes near
  struct Encounter {
    int step;
    double gap;
    double share;  // of the step that has passed by then
    Vec2 away;     // from the person to the robot, of length 1
  };
  struct Block {  // symmetric
    double xx = 0, xy = 0, yy = 0;
    void add(double f, Vec2 n) { xx += f * n.x * n.x, xy += f * n.x * n.y, yy += f * n.y * n.y; }
    Vec2 times(Vec2 u) const { return {xx * u.x + xy * u.y, xy * u.x + yy * u.y}; }
  };
  // W without smoothness: blocks of each position, and between a position and the one before it
  struct Curvature {
    std::array<Block, kMostSteps> own, before;
  };

  Vec2 position(std::span<const double> y, int h) const {
    return h == 0 ? robot_.position
                  : Vec2{y[static_cast<std::size_t>(2 * h - 2)], y[static_cast<std::size_t>(2 * h - 1)]};
  }
  Vec2 velocity(std::span<const double> y, int h) const {
    return h < 0 ? robot_.velocity : (1 / kTimeStep) * (position(y, h + 1) - position(y, h));
  }
  // every encounter of step h below the margin or the safe distance, or a collision
  template <class Visit>
  void meet(std::span<const double> y, int h, Visit visit) const;
  // those of a whole path
  std::span<const Encounter> encounters(std::span<const double> y) const;
  double step_cost(std::span<const double> y, int h) const;  // without people
  double person_cost(const Encounter& met) const;
  double margin(int h) const { return weights_.margin + weights_.margin_growth * kTimeStep * h; }
  double goal_weight(int h) const { return weights_.progress * (kTimeStep + (h + 1 == steps_ ? weights_.beyond : 0)); }
  void curve(std::span<const double> y, Curvature& w) const;

  CostWeights weights_;
  int steps_;
  const Forecast& forecast_;
  MovingDisc robot_;
  Vec2 goal_;
  // of the last path that was asked about: a correction asks about the same path several times
  mutable std::array<double, 2 * kMostSteps> path_ = {};
  mutable std::vector<Encounter> met_;  // the first met_count_ are valid
  mutable std::size_t met_count_ = 0;
  mutable bool known_ = false;
};

}  // namespace elastane::crowd
