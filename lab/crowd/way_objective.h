// What a way through a crowd should be like: soon at the goal, apart from where people will be, not too fast, smooth.
//
//   ℓ(y) = Σ_h c_h √(‖y_h − goal‖² + ε²)                   progress: metres off the goal, for as long as they last
//        + ½w_p Σ_h Σ_i max(0, margin − gap_hi)²           people: the smallest gap while step h lasts
//        + ½w_v Σ_h max(0, ‖v_h‖ − limit)²                 speed
//        + ½w_s Σ_h ‖v_h − v_{h−1}‖²                        smoothness
//
// y_h is the place after step h, v_h the velocity of that step. Its curvature W is that of Gauss and Newton, for the
// first term the second derivative itself; both are positive semi-definite, and couple a place with its next two.
#pragma once

#include <array>
#include <span>

#include "elastane/core/objective/objective.h"
#include "lab/crowd/forecast.h"

namespace elastane::crowd {

struct WayOptions {
  double progress = 1;       // c_h: a metre for a second
  double beyond = 2;         // seconds that the last place counts for, in addition
  double people = 200;       // w_p
  double margin = 0.1;       // metres between borders
  double margin_growth = 0;  // metres for each second ahead: forecasts are wrong sooner or later
  double speed = 50;         // w_v
  double smoothness = 0.1;   // w_s
};

inline constexpr int kMostSteps = 32;

class WayObjective final : public Objective {
 public:
  // views the forecast, which looks at least `steps` ahead
  WayObjective(const WayOptions& options, int steps, const Forecast& forecast)
      : options_(options), steps_(steps), forecast_(forecast) {}

  void begin(const MovingDisc& robot, Vec2 goal) { robot_ = robot, goal_ = goal; }

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;

  // does anybody touch the robot while step h lasts, on a way y?
  bool collides(std::span<const double> y, int h) const;

 private:
  // two places of step h, before and after, as seen from person i at their closest
  struct Encounter {
    double gap;    // or much, where it is beyond the margin
    double share;  // of the step that is over then
    Vec2 away;     // from the person to the robot, of length 1
  };
  struct Block {  // symmetric
    double xx = 0, xy = 0, yy = 0;
    void add(double f, Vec2 n) { xx += f * n.x * n.x, xy += f * n.x * n.y, yy += f * n.y * n.y; }
    Vec2 times(Vec2 u) const { return {xx * u.x + xy * u.y, xy * u.x + yy * u.y}; }
  };
  // W but for smoothness: blocks of each place, and between a place and the one before it
  struct Curvature {
    std::array<Block, kMostSteps> own, before;
  };

  Vec2 place(std::span<const double> y, int h) const {
    return h == 0 ? robot_.position
                  : Vec2{y[static_cast<std::size_t>(2 * h - 2)], y[static_cast<std::size_t>(2 * h - 1)]};
  }
  Vec2 velocity(std::span<const double> y, int h) const {
    return h < 0 ? robot_.velocity : (1 / kTimeStep) * (place(y, h + 1) - place(y, h));
  }
  Encounter meet(std::span<const double> y, int h, std::size_t person) const;
  double margin(int h) const { return options_.margin + options_.margin_growth * kTimeStep * h; }
  double goal_weight(int h) const { return options_.progress * (kTimeStep + (h + 1 == steps_ ? options_.beyond : 0)); }
  void curve(std::span<const double> y, Curvature& w) const;

  WayOptions options_;
  int steps_;
  const Forecast& forecast_;
  MovingDisc robot_;
  Vec2 goal_;
};

}  // namespace elastane::crowd
