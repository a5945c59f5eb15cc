// Maps and scenarios of the MovingAI benchmarks (Sturtevant 2012): text files of letters, and of starts and goals with
// the length of the shortest way.
//
//   Grid map = parse_map(text).value();
//   for (const MapErrand& errand : parse_errands(text).value()) Task task = make_task(map, errand).value();
//
// Free: '.', 'G' and 'S'. Walls: '@', 'O', 'T' and 'W'. Walkers take all eight moves and cut no corner.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/worlds/maze/task.h"

namespace elastane::maze {

inline constexpr int kMostSide = 4096;

struct MapErrand {
  std::string map;  // file name
  int width = 0, height = 0;
  Cell start, goal;
  double shortest = 0;  // as published
};

Result<Grid> parse_map(std::string_view text);
Result<std::vector<MapErrand>> parse_errands(std::string_view text);

// Start and goal are free cells of the map with a way between them. Walkers may have the map as their plan, or nothing.
enum class Told { map, nothing };
Result<Task> make_task(const Grid& map, const MapErrand& errand, Told told = Told::map);

struct WallChange {
  int closed = 4, opened = 4;  // cells: on the shortest way; of inner walls
};
// Walls change in mid-walk, of which nobody is told: cells of the shortest way close, so that it is narrow or gone, and
// some walls open. Everybody who had a way still has one, also if they know of no wall that opened.
Task with_change(Task task, const WallChange& change, std::uint64_t seed);

}  // namespace elastane::maze
