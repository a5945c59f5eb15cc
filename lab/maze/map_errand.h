// Errands over a map: from where to where, and walls that change on the way.
//
//   Task task = make_task(map, choose_errand(map).value()).value();
#pragma once

#include <optional>
#include <string>

#include "elastane/core/base/result.h"
#include "lab/maze/task.h"

namespace elastane::maze {

struct MapErrand {
  std::string map;  // file name
  int width = 0, height = 0;
  Cell start, goal;
  double shortest = 0;  // as published
};

// Start and goal are free cells of the map with a way between them. Walkers may have the map as their plan, or nothing.
enum class Told { map, nothing };
Result<Task> make_task(const Grid& map, const MapErrand& errand, Told told = Told::map);

// An errand that a page can show, on a map of at most so many cells a side: ends that nobody asked for are far from
// each other, with a way between them.
inline constexpr int kMostShownSide = 256, kMostShownWay = 1024;
struct MapEnds {
  std::optional<Cell> start, goal;
};
Result<MapErrand> choose_errand(const Grid& map, const MapEnds& ends = {});

struct WallChange {
  int closed = 4, opened = 4;  // cells: on the shortest way; of inner walls
};
// Walls change in mid-walk, of which nobody is told: cells of the shortest way close, so that it is narrow or gone, and
// some walls open. Everybody who had a way still has one, also if they know of no wall that opened.
Task with_change(Task task, const WallChange& change, std::uint64_t seed);

}  // namespace elastane::maze
