// Predicts positions of people: they walk as in walkers.h, each towards a goal that is inferred from its motion so far.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "lab/crowd/walkers.h"

namespace elastane::crowd {

struct ForecastOptions {
  int steps = 20;          // ahead
  double trip = 8;         // metres that people walk, if only the direction of a goal is known
  bool reciprocal = true;  // false: people keep their velocities
};

class Forecast {
 public:
  // nothing allocates after this
  Forecast(const ForecastOptions& options, std::size_t people);

  void reset() { begun_ = false; }
  // updates the goals by the motion since the last step, and predicts
  void observe(std::span<const MovingDisc> people);

  std::size_t people() const { return goals_.size(); }
  // h steps from now: the position, and the velocity that led there; h = 0 is the observation
  const MovingDisc& at(int h, std::size_t person) const {
    return ahead_[static_cast<std::size_t>(h) * people() + person];
  }
  Vec2 goal(std::size_t person) const { return targets_[person]; }  // the current estimate

 private:
  // The least-squares problem of a goal, A g = b. A line through the goal constrains one direction only.
  struct Goal {
    Vec2 first;                     // first observed position of the person
    Vec2 ahead;                     // sum of the observed directions towards the goal
    double xx = 0, xy = 0, yy = 0;  // A
    Vec2 pull;                      // b
    void lies_on(Vec2 through, Vec2 normal, double weight);
    Vec2 solve(Vec2 expected) const;  // the expected goal decides what is not constrained
  };

  std::span<MovingDisc> row(int h) {
    return std::span(ahead_).subspan(static_cast<std::size_t>(h) * people(), people());
  }
  std::optional<Vec2> wanted(std::size_t person, Vec2 velocity);
  void learn(std::span<const MovingDisc> people);
  void look_ahead();

  ForecastOptions options_;
  Walkers walkers_;
  std::vector<Goal> goals_;
  std::vector<Vec2> targets_;
  std::vector<MovingDisc> ahead_;  // [step][person]; the first row is the last observation
  bool begun_ = false;
};

}  // namespace elastane::crowd
