// People who walk to their goals and avoid each other by ORCA, all at the same time, or who do not yield. They do not
// see the robot.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "elastane/planners/orca.h"

namespace elastane::crowd {

using planners::MovingDisc;
using planners::Vec2;

inline constexpr double kTimeStep = 0.25;   // seconds
inline constexpr double kSpeedLimit = 1;    // metres per second, of people and robot
inline constexpr double kClearance = 0.01;  // metres that the reference program adds to every radius

// full speed towards the goal, slower within a metre of it
inline Vec2 wanted_velocity(Vec2 position, Vec2 goal) { return shortened(goal - position, kSpeedLimit); }

// the same one step later, if they do not yield
void walk_straight(std::span<const MovingDisc> now, std::span<const Vec2> goals, std::span<MovingDisc> next);

class Walkers {
 public:
  // nothing allocates after this
  explicit Walkers(std::size_t people)
      : orca_({.time_step = kTimeStep, .speed_limit = kSpeedLimit}, people), others_(people > 0 ? people - 1 : 0) {}

  // positions and velocities one step later; `next` does not overlap `now`
  void advance(std::span<const MovingDisc> now, std::span<const Vec2> goals, std::span<MovingDisc> next);

  // the velocities that the others leave to one person; valid until the next call
  std::span<const planners::HalfPlane> allowed(std::span<const MovingDisc> now, std::size_t person) {
    return orca_.allowed(now[person], all_but(now, person), kClearance);
  }

 private:
  std::span<const MovingDisc> all_but(std::span<const MovingDisc> people, std::size_t person);

  planners::Orca orca_;
  std::vector<MovingDisc> others_;
};

}  // namespace elastane::crowd
