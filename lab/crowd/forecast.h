// Where people will be: they are taken to walk as walkers.h says, each towards a goal that is worked out from how it
// walked so far.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "lab/crowd/walkers.h"

namespace elastane::crowd {

struct ForecastOptions {
  int steps = 20;          // how far ahead
  double trip = 8;         // metres that people walk, where only the direction of a goal is known
  bool reciprocal = true;  // false: everybody keeps its velocity
};

class Forecast {
 public:
  // nothing after this allocates
  Forecast(const ForecastOptions& options, std::size_t people);

  void reset() { begun_ = false; }
  // learns from what people did since the last step, and looks ahead
  void observe(std::span<const MovingDisc> people);

  std::size_t people() const { return goals_.size(); }
  // h steps from now: place, and the velocity that it was reached with; h = 0 is what was seen
  const MovingDisc& at(int h, std::size_t person) const { return ahead_[static_cast<std::size_t>(h) * people() + person]; }
  Vec2 goal(std::size_t person) const { return targets_[person]; }  // as it is believed now

 private:
  // A goal as least squares know it: A g = b. That it lies on a line tells of one direction only.
  struct Goal {
    Vec2 first;                     // where the person was first seen
    Vec2 ahead;                     // sum of the directions in which the goal was
    double xx = 0, xy = 0, yy = 0;  // A
    Vec2 pull;                      // b
    void lies_on(Vec2 through, Vec2 normal, double weight);
    Vec2 solve(Vec2 expected) const;  // the expectation fills in where nothing is known
  };

  std::span<MovingDisc> row(int h) { return std::span(ahead_).subspan(static_cast<std::size_t>(h) * people(), people()); }
  std::optional<Vec2> wanted(std::size_t person, Vec2 velocity);
  void learn(std::span<const MovingDisc> people);
  void look_ahead();

  ForecastOptions options_;
  Walkers walkers_;
  std::vector<Goal> goals_;
  std::vector<Vec2> targets_;
  std::vector<MovingDisc> ahead_;  // [step][person]; between two calls its first row is what was seen last
  bool begun_ = false;
};

}  // namespace elastane::crowd
