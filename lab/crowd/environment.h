// One episode as it runs: people on a circle walk to its other side, and a robot that they do not see crosses it.
//
//   Environment environment(episode);
//   while (!environment.over()) environment.step(agent.act(environment.observe()));
//
// The rules are those of CrowdNav (Chen, Liu, Kreiss, Alahi 2019, "Crowd-robot interaction"), even where another choice
// would be better: a collision is judged as if people kept their last velocity for this step.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/crowd/episode.h"
#include "lab/crowd/observation.h"
#include "lab/crowd/walkers.h"

namespace elastane::crowd {

inline constexpr double kLastStart = 24;  // seconds: the limit is 25, and a step may not begin later than this

enum class Ending : std::uint8_t { none, reached, collided, too_late };

// The smallest distance between the borders of two discs that keep their velocities for a time; negative if they overlap
double closest(const MovingDisc& a, const MovingDisc& b, double seconds);

class Environment {
 public:
  explicit Environment(const Episode& episode);

  Observation observe() const { return {robot_, kRobotGoal, people_}; }
  Ending ending() const { return ending_; }
  bool over() const { return ending_ != Ending::none; }
  int steps() const { return steps_; }
  double time() const { return steps_ * kTimeStep; }  // seconds
  double nearest() const { return nearest_; }  // smallest distance so far between the robot's and a person's border

  // the robot takes this velocity, shortened to the speed limit; a velocity of NaN means to stand still
  void step(Vec2 velocity);

 private:
  MovingDisc robot_;
  std::vector<MovingDisc> people_, next_;
  std::vector<Vec2> goals_;
  Walkers walkers_;
  bool yielding_;  // do people avoid each other?
  int steps_ = 0;
  Ending ending_ = Ending::none;
  double nearest_;
};

}  // namespace elastane::crowd
