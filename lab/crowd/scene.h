// Who walks where in a crossing: drawn by chance, or read from a file of cases.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/planners/vec2.h"

namespace elastane::crowd {

inline constexpr double kRadius = 0.3;  // of robot and people, metres
inline constexpr planners::Vec2 kRobotStart{0, -4}, kRobotGoal{0, 4};

struct Walk {
  planners::Vec2 start, goal;
};

struct Scene {
  std::vector<Walk> people;
};

// As CrowdNav draws them: starts near a circle of 4 m with half a metre of noise, goals across its centre, everybody
// .2 m apart from the others' starts and goals, the robot's among them.
Scene random_scene(std::uint64_t seed, int people = 5);

// Columns case, human, px, py, gx, gy, the rows of a case together, and all cases of the same number of people
Result<std::vector<Scene>> read_scenes(const std::string& path);

}  // namespace elastane::crowd
