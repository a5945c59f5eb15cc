#include "lab/crowd/episode.h"

#include <cmath>
#include <numbers>
#include <span>

#include "elastane/core/base/random.h"
#include "elastane/io/table.h"

namespace elastane::crowd {
namespace {

using planners::Vec2;

constexpr double kCircle = 4, kNoise = 1, kDiscomfort = 0.2;
constexpr double kFarthest = 1000;  // metres; a file with larger numbers does not hold cases

constexpr int kMostApart = 12;  // more people cannot all be clear of each other's starts and goals
constexpr double kSquare = 10;

bool is_apart(Vec2 a, Vec2 b) { return norm(a - b) >= 2 * kRadius + kDiscomfort; }

// is a start clear of another's start and goal? On a circle its goal then is too: walks are symmetric about the centre
bool is_clear(const Walk& walk, const Walk& other, bool of_goals) {
  return is_apart(walk.start, other.start) && is_apart(walk.goal, other.goal) &&
         (!of_goals || (is_apart(walk.start, other.goal) && is_apart(walk.goal, other.start)));
}

Walk draw_on_circle(Random& random) {
  const double angle = random.uniform(0, 2 * std::numbers::pi);
  const Vec2 noise{kNoise * random.uniform(-0.5, 0.5), kNoise * random.uniform(-0.5, 0.5)};
  const Vec2 start = Vec2{kCircle * std::cos(angle), kCircle * std::sin(angle)} + noise;
  return {start, -start};
}

Walk draw_in_square(Random& random) {
  const double side = random.uniform() < 0.5 ? -1 : 1;
  const auto place = [&](double half) {
    const double across = random.uniform(0, 0.5) * kSquare * half;
    return Vec2{across, random.uniform(-0.5, 0.5) * kSquare};
  };
  const Vec2 start = place(side);
  return {start, place(-side)};
}

}  // namespace

Episode draw_episode(std::uint64_t seed, int people, Setting setting) {
  Random random(seed, 1ULL << 52U);
  Episode episode;
  episode.yielding = setting == Setting::circle || setting == Setting::square;
  while (static_cast<int>(episode.people.size()) < people) {
    const Walk walk = is_circle(setting) ? draw_on_circle(random) : draw_in_square(random);
    bool clear = is_clear(walk, {kRobotStart, kRobotGoal}, true);
    for (const Walk& other : episode.people) clear = clear && is_clear(walk, other, people <= kMostApart);
    if (clear) episode.people.push_back(walk);
  }
  return episode;
}

Result<std::vector<Episode>> read_episodes(const std::string& path) {
  const std::vector<std::string> names = {"case", "human", "px", "py", "gx", "gy"};
  const Result<Table> table = read_table(path, {.strict = true, .needed = names});
  if (!table) return Error{table.error()};
  if (table->columns != names) {
    std::string found;
    for (const std::string& name : table->columns) found += (found.empty() ? "" : ", ") + name;
    return Error{"[crowd] " + path + ": expected the columns case, human, px, py, gx, gy, found " + found};
  }
  std::vector<Episode> episodes;
  double last = -1;
  for (std::size_t r = 0; r < table->rows; ++r) {
    const std::span<const double> row = table->row(r);
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (std::fabs(row[c]) <= kFarthest) continue;  // false for a missing number, too
      return Error{"[crowd] " + path + ", row " + std::to_string(r + 1) + ", " + names[c] +
                   ": expected a number within 1000, found " + (std::isnan(row[c]) ? "none" : std::to_string(row[c])) +
                   "; complete the row or leave it out"};
    }
    if (episodes.empty() || row[0] != last) episodes.emplace_back();
    last = row[0];
    episodes.back().people.push_back({{row[2], row[3]}, {row[4], row[5]}});
  }
  if (episodes.empty()) return Error{"[crowd] " + path + ": expected at least one case, found none"};
  for (const Episode& episode : episodes) {
    if (episode.people.size() == episodes[0].people.size()) continue;
    return Error{"[crowd] " + path + ": expected the same number of people in every case as in the first, " +
                 std::to_string(episodes[0].people.size()) + ", found " + std::to_string(episode.people.size()) +
                 "; use one file per number of people"};
  }
  return episodes;
}

}  // namespace elastane::crowd
