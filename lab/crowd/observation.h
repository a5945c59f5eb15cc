// What the robot observes: positions and velocities of people, not their goals.
#pragma once

#include <span>

#include "elastane/planners/orca.h"

namespace elastane::crowd {

struct Observation {
  planners::MovingDisc robot;
  planners::Vec2 goal;  // of the robot
  std::span<const planners::MovingDisc> people;
};

}  // namespace elastane::crowd
