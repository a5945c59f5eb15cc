// An episode as data: the people who cross, drawn at random or read from a file of cases.
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

struct Episode {
  std::vector<Walk> people;
  bool yielding = true;  // do people avoid each other? They never see the robot
};

enum class Setting : std::uint8_t {
  circle,           // people start near a circle of 4 m and cross its centre
  square,           // people start anywhere in one half of a square of 10 m and walk to the other half
  straight_circle,  // the same, but people walk straight to their goals and do not yield
  straight_square,
};
inline constexpr const char* kSettingNames[] = {"circle", "square", "straight_circle", "straight_square"};
inline constexpr int kSettings = 4;
inline bool is_circle(Setting setting) { return setting == Setting::circle || setting == Setting::straight_circle; }

// As CrowdNav draws them: starts near a circle of 4 m with half a metre of noise, goals across its centre. Every start is
// at least .2 m clear of all other starts and goals, those of the robot included.
// More than twelve people do not fit so; their starts are then clear of other starts only. The robot's are always kept.
Episode draw_episode(std::uint64_t seed, int people = 5, Setting setting = Setting::circle);

// Columns case, human, px, py, gx, gy. The rows of a case are adjacent; all cases have the same number of people.
Result<std::vector<Episode>> read_episodes(const std::string& path);

}  // namespace elastane::crowd
