// What the robot observes in a step. All of it is noisy, and the same for every agent.
#pragma once

#include <array>

#include "lab/navigation/geometry.h"

namespace elastane::navigation {

inline constexpr int kRays = 24;
inline constexpr double kRange = 0.35;
inline constexpr double kRayNoise = 0.004, kGoalNoise = 0.002, kMotionNoise = 0.0004;  // σ

Vec2 ray_direction(int ray);

struct Observation {
  std::array<double, kRays> rays = {};  // to the first obstacle, at most kRange; NaN: the ray failed
  Vec2 goal;                            // from the robot to the dock
  Vec2 motion;                          // in the last step
  Vec2 slope;                           // of the ground under the robot
};

}  // namespace elastane::navigation
