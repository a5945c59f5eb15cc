#include "lab/crowd/scene.h"

#include <cmath>
#include <numbers>
#include <span>

#include "elastane/core/base/random.h"
#include "elastane/io/table.h"

namespace elastane::crowd {
namespace {

using planners::Vec2;

constexpr double kCircle = 4, kNoise = 1, kDiscomfort = 0.2;
constexpr double kFarthest = 1000;  // metres; beyond, a file is not one of crossings

// is a start clear of another's start and goal? Then so is its goal, since walks are mirrored at the centre
bool is_clear(Vec2 start, const Walk& other) {
  constexpr double kApart = 2 * kRadius + kDiscomfort;
  return norm(start - other.start) >= kApart && norm(start - other.goal) >= kApart;
}

}  // namespace

Scene random_scene(std::uint64_t seed, int people) {
  Random random(seed, 1ULL << 52U);
  Scene scene;
  while (static_cast<int>(scene.people.size()) < people) {
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const Vec2 noise{kNoise * random.uniform(-0.5, 0.5), kNoise * random.uniform(-0.5, 0.5)};
    const Vec2 start = Vec2{kCircle * std::cos(angle), kCircle * std::sin(angle)} + noise;
    bool clear = is_clear(start, {kRobotStart, kRobotGoal});
    for (const Walk& walk : scene.people) clear = clear && is_clear(start, walk);
    if (clear) scene.people.push_back({start, -start});
  }
  return scene;
}

Result<std::vector<Scene>> read_scenes(const std::string& path) {
  const std::vector<std::string> names = {"case", "human", "px", "py", "gx", "gy"};
  const Result<Table> table = read_table(path, {.strict = true, .needed = names});
  if (!table) return Error{table.error()};
  if (table->columns != names) {
    std::string found;
    for (const std::string& name : table->columns) found += (found.empty() ? "" : ", ") + name;
    return Error{"[crowd] " + path + ": expected the columns case, human, px, py, gx, gy, found " + found};
  }
  std::vector<Scene> scenes;
  double last = -1;
  for (std::size_t r = 0; r < table->rows; ++r) {
    const std::span<const double> row = table->row(r);
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (std::fabs(row[c]) <= kFarthest) continue;  // false for what is missing, too
      return Error{"[crowd] " + path + ", row " + std::to_string(r + 1) + ", " + names[c] +
                   ": expected a number within 1000, found " + (std::isnan(row[c]) ? "none" : std::to_string(row[c])) +
                   "; complete the row or leave it out"};
    }
    if (scenes.empty() || row[0] != last) scenes.emplace_back();
    last = row[0];
    scenes.back().people.push_back({{row[2], row[3]}, {row[4], row[5]}});
  }
  if (scenes.empty()) return Error{"[crowd] " + path + ": expected at least one case, found none"};
  for (const Scene& scene : scenes) {
    if (scene.people.size() == scenes[0].people.size()) continue;
    return Error{"[crowd] " + path + ": expected as many people in every case as in the first, " +
                 std::to_string(scenes[0].people.size()) + ", found " + std::to_string(scene.people.size()) +
                 "; put cases of other sizes into files of their own"};
  }
  return scenes;
}

}  // namespace elastane::crowd
