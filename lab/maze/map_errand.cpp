#include "lab/maze/map_errand.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/base/random.h"
#include "lab/maze/map_error.h"

namespace elastane::maze {
namespace {

constexpr int kTries = 10'000;  // at finding a wall that may open

// cells on a shortest way from the start to the goal, without these two
std::vector<Cell> way_of(const Task& task) {
  const std::vector<double> lengths = lengths_to(task.before, task.goal, task.moves);
  std::vector<Cell> way;
  Cell at = task.start;
  while (!(at == task.goal)) {
    int best = kStay;
    double least = kNoWay;
    for (int w = 0; w < way_count(task.moves); ++w) {
      if (!task.before.can_move(at, w)) continue;
      const Cell next = at + kWays[static_cast<std::size_t>(w)];
      const double length = way_length(w) + lengths[static_cast<std::size_t>(task.before.index(next))];
      if (length < least) least = length, best = w;
    }
    at = at + kWays[static_cast<std::size_t>(best)];
    if (!(at == task.goal)) way.push_back(at);
  }
  return way;
}

// does everybody who had a way still have one?
bool keeps_ways(const Task& task) {
  const std::vector<double> had = lengths_to(task.before, task.goal, task.moves);
  const std::vector<double> have = lengths_to(task.after, task.goal, task.moves);
  for (int i = 0; i < task.after.cells(); ++i) {
    const auto c = static_cast<std::size_t>(i);
    if (had[c] < kNoWay && !task.after.is_wall(i) && have[c] == kNoWay) return false;
  }
  return true;
}

// a free cell of the largest part of the map that hangs together
std::optional<Cell> cell_of_largest_part(const Grid& map) {
  std::vector<bool> reached(static_cast<std::size_t>(map.cells()));
  std::optional<Cell> found;
  int most = 0;
  for (int i = 0; i < map.cells(); ++i) {
    if (map.is_wall(i) || reached[static_cast<std::size_t>(i)]) continue;
    const std::vector<double> lengths = lengths_to(map, map.cell(i), Moves::eight);
    int cells = 0;
    for (std::size_t c = 0; c < lengths.size(); ++c) {
      if (lengths[c] == kNoWay) continue;
      reached[c] = true;
      ++cells;
    }
    if (cells > most) most = cells, found = map.cell(i);
  }
  return found;
}

// of the cells that are near enough to be shown the way to; the cell itself where there is no other
Cell farthest_from(const Grid& map, Cell from) {
  const std::vector<double> lengths = lengths_to(map, from, Moves::eight);
  Cell farthest = from;
  double most = 0;
  for (int i = 0; i < map.cells(); ++i) {
    const double length = lengths[static_cast<std::size_t>(i)];
    if (length > most && length <= kMostShownWay) most = length, farthest = map.cell(i);
  }
  return farthest;
}

Status check_end(const Grid& map, const std::string& name, Cell cell) {
  if (map.has(cell) && !map.is_wall(cell)) return {};
  return wrong_map(name + " at " + cell_name(cell), "a free cell", map.has(cell) ? "a wall" : "the outside",
                   "begin and end where one can stand");
}

}  // namespace

Result<Task> make_task(const Grid& map, const MapErrand& errand, Told told) {
  if (map.width() != errand.width || map.height() != errand.height) {
    return wrong_map("map", size_name(errand.width, errand.height), size_name(map.width(), map.height()),
                     "take the map that the scenario names");
  }
  for (const auto& [name, cell] : {std::pair{"start", errand.start}, std::pair{"goal", errand.goal}}) {
    if (const Status free = check_end(map, name, cell); !free) return Error{free.error()};
  }
  Task task{.plan = told == Told::map ? map : Grid(map.width(), map.height(), false),
            .before = map,
            .after = map,
            .doors = {},
            .start = errand.start,
            .goal = errand.goal,
            .moves = Moves::eight};
  measure(task);
  if (task.shortest < kNoWay) return task;
  return wrong_map("way from " + cell_name(errand.start) + " to " + cell_name(errand.goal), "one", "none",
                   "open a wall between them");
}

Result<MapErrand> choose_errand(const Grid& map, const MapEnds& ends) {
  if (std::max(map.width(), map.height()) > kMostShownSide) {
    return wrong_map("map", "at most " + size_name(kMostShownSide, kMostShownSide) + " cells",
                     size_name(map.width(), map.height()), "cut out a part of it");
  }
  std::optional<Cell> start = ends.start, goal = ends.goal;
  // the far end of a part, and then the farthest from there: in a tree no two cells are farther apart
  if (!start && !goal) {
    const auto within = cell_of_largest_part(map);
    if (!within) return wrong_map("map", "a free cell", "none", "open some with '.'");
    start = farthest_from(map, *within);
  }
  for (const auto& [name, cell] : {std::pair{"start", start}, std::pair{"goal", goal}}) {
    if (!cell) continue;
    if (const Status free = check_end(map, name, *cell); !free) return Error{free.error()};
  }
  if (!goal) goal = farthest_from(map, *start);
  if (!start) start = farthest_from(map, *goal);
  const MapErrand errand{.width = map.width(), .height = map.height(), .start = *start, .goal = *goal};
  const auto task = make_task(map, errand);
  if (!task) return Error{task.error()};
  if (*start == *goal) {
    return wrong_map("goal at " + cell_name(*goal), "another cell than the start", "the same",
                     "choose cells with a way between them");
  }
  if (task->shortest > kMostShownWay) {
    return wrong_map("way from " + cell_name(*start) + " to " + cell_name(*goal),
                     "a length of at most " + std::to_string(kMostShownWay),
                     std::to_string(std::lround(task->shortest)), "choose cells that are nearer");
  }
  return errand;
}

Task with_change(Task task, const WallChange& change, std::uint64_t seed) {
  Random random(seed, 9ULL << 48U);
  task.seed = seed;
  std::vector<Cell> way = way_of(task);
  for (int closed = 0; closed < change.closed && !way.empty();) {
    const auto which = static_cast<std::size_t>(random.below(static_cast<int>(way.size())));
    const Cell c = way[which];
    way.erase(way.begin() + static_cast<std::ptrdiff_t>(which));
    task.after.set_wall(c, true);
    if (!keeps_ways(task)) {
      task.after.set_wall(c, false);
      continue;
    }
    task.doors.push_back(c);
    ++closed;
  }
  for (int opened = 0, tries = 0; opened < change.opened && tries < kTries; ++tries) {
    const Cell c = task.after.cell(random.below(task.after.cells()));
    if (!task.before.is_wall(c) || !task.after.is_wall(c)) continue;
    task.after.set_wall(c, false);
    task.doors.push_back(c);
    ++opened;
  }
  task.change_at = static_cast<int>(task.shortest * random.uniform(0.1, 0.5));
  return task;
}

}  // namespace elastane::maze
