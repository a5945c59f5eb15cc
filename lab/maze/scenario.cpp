#include "lab/maze/scenario.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/base/random.h"
#include "lab/maze/map_error.h"

namespace elastane::maze {
namespace {

constexpr int kTries = 10'000;  // to find a wall that may open

// cells of a shortest path from start to goal, without these two
std::vector<Cell> shortest_path(const Episode& episode) {
  const std::vector<double> lengths = distances_to(episode.before, episode.goal, episode.moves);
  std::vector<Cell> path;
  Cell at = episode.start;
  while (!(at == episode.goal)) {
    int best = kStay;
    double least = kUnreachable;
    for (int w = 0; w < move_count(episode.moves); ++w) {
      if (!episode.before.can_move(at, w)) continue;
      const Cell next = at + kMoveSteps[static_cast<std::size_t>(w)];
      const double length = move_length(w) + lengths[static_cast<std::size_t>(episode.before.index(next))];
      if (length < least) least = length, best = w;
    }
    at = at + kMoveSteps[static_cast<std::size_t>(best)];
    if (!(at == episode.goal)) path.push_back(at);
  }
  return path;
}

// true if every cell that could reach the goal still can
bool keeps_paths(const Episode& episode) {
  const std::vector<double> had = distances_to(episode.before, episode.goal, episode.moves);
  const std::vector<double> have = distances_to(episode.after, episode.goal, episode.moves);
  for (int i = 0; i < episode.after.cells(); ++i) {
    const auto c = static_cast<std::size_t>(i);
    if (had[c] < kUnreachable && !episode.after.is_wall(i) && have[c] == kUnreachable) return false;
  }
  return true;
}

// a free cell of the largest connected part of the map
std::optional<Cell> cell_of_largest_part(const Grid& map) {
  std::vector<bool> reached(static_cast<std::size_t>(map.cells()));
  std::optional<Cell> found;
  int most = 0;
  for (int i = 0; i < map.cells(); ++i) {
    if (map.is_wall(i) || reached[static_cast<std::size_t>(i)]) continue;
    const std::vector<double> lengths = distances_to(map, map.cell(i), Moves::eight);
    int cells = 0;
    for (std::size_t c = 0; c < lengths.size(); ++c) {
      if (lengths[c] == kUnreachable) continue;
      reached[c] = true;
      ++cells;
    }
    if (cells > most) most = cells, found = map.cell(i);
  }
  return found;
}

// among cells near enough for a page; the cell itself if there is no other
Cell farthest_from(const Grid& map, Cell from) {
  const std::vector<double> lengths = distances_to(map, from, Moves::eight);
  Cell farthest = from;
  double most = 0;
  for (int i = 0; i < map.cells(); ++i) {
    const double length = lengths[static_cast<std::size_t>(i)];
    if (length > most && length <= kLongestShownPath) most = length, farthest = map.cell(i);
  }
  return farthest;
}

Status check_end(const Grid& map, const std::string& name, Cell cell) {
  if (map.has(cell) && !map.is_wall(cell)) return {};
  return map_error(name + " at " + cell_name(cell), "a free cell", map.has(cell) ? "a wall" : "the outside",
                   "choose free cells");
}

}  // namespace

Result<Episode> make_episode(const Grid& map, const MapScenario& scenario, KnownPlan known) {
  if (map.width() != scenario.width || map.height() != scenario.height) {
    return map_error("map", size_name(scenario.width, scenario.height), size_name(map.width(), map.height()),
                     "take the map that the scenario names");
  }
  for (const auto& [name, cell] : {std::pair{"start", scenario.start}, std::pair{"goal", scenario.goal}}) {
    if (const Status free = check_end(map, name, cell); !free) return Error{free.error()};
  }
  Episode episode{.plan = known == KnownPlan::map ? map : Grid(map.width(), map.height(), false),
                  .before = map,
                  .after = map,
                  .doors = {},
                  .start = scenario.start,
                  .goal = scenario.goal,
                  .moves = Moves::eight};
  measure_shortest(episode);
  if (episode.shortest < kUnreachable) return episode;
  return map_error("path from " + cell_name(scenario.start) + " to " + cell_name(scenario.goal), "one", "none",
                   "open a wall between them");
}

Result<MapScenario> choose_scenario(const Grid& map, const Endpoints& endpoints) {
  if (std::max(map.width(), map.height()) > kMaxShownSide) {
    return map_error("map", "at most " + size_name(kMaxShownSide, kMaxShownSide) + " cells",
                     size_name(map.width(), map.height()), "cut out a part of it");
  }
  std::optional<Cell> start = endpoints.start, goal = endpoints.goal;
  // the far end of the largest part, then the cell farthest from it: in a tree no two cells are farther apart
  if (!start && !goal) {
    const auto within = cell_of_largest_part(map);
    if (!within) return map_error("map", "a free cell", "none", "open some with '.'");
    start = farthest_from(map, *within);
  }
  for (const auto& [name, cell] : {std::pair{"start", start}, std::pair{"goal", goal}}) {
    if (!cell) continue;
    if (const Status free = check_end(map, name, *cell); !free) return Error{free.error()};
  }
  if (!goal) goal = farthest_from(map, *start);
  if (!start) start = farthest_from(map, *goal);
  const MapScenario scenario{.width = map.width(), .height = map.height(), .start = *start, .goal = *goal};
  const auto episode = make_episode(map, scenario);
  if (!episode) return Error{episode.error()};
  if (*start == *goal) {
    return map_error("goal at " + cell_name(*goal), "another cell than the start", "the same",
                     "choose cells with a path between them");
  }
  if (episode->shortest > kLongestShownPath) {
    return map_error("path from " + cell_name(*start) + " to " + cell_name(*goal),
                     "a length of at most " + std::to_string(kLongestShownPath),
                     std::to_string(std::lround(episode->shortest)), "choose cells closer together");
  }
  return scenario;
}

Episode with_change(Episode episode, const WallChange& change, std::uint64_t seed) {
  Random random(seed, 9ULL << 48U);
  episode.seed = seed;
  std::vector<Cell> path = shortest_path(episode);
  for (int closed = 0; closed < change.closed && !path.empty();) {
    const auto which = static_cast<std::size_t>(random.below(static_cast<int>(path.size())));
    const Cell c = path[which];
    path.erase(path.begin() + static_cast<std::ptrdiff_t>(which));
    episode.after.set_wall(c, true);
    if (!keeps_paths(episode)) {
      episode.after.set_wall(c, false);
      continue;
    }
    episode.doors.push_back(c);
    ++closed;
  }
  for (int opened = 0, tries = 0; opened < change.opened && tries < kTries; ++tries) {
    const Cell c = episode.after.cell(random.below(episode.after.cells()));
    if (!episode.before.is_wall(c) || !episode.after.is_wall(c)) continue;
    episode.after.set_wall(c, false);
    episode.doors.push_back(c);
    ++opened;
  }
  episode.change_at = static_cast<int>(episode.shortest * random.uniform(0.1, 0.5));
  return episode;
}

}  // namespace elastane::maze
