// Scenarios on a map: start, goal, and walls that change during the episode.
//
//   Episode episode = make_episode(map, choose_scenario(map).value()).value();
#pragma once

#include <optional>
#include <string>

#include "elastane/core/base/result.h"
#include "lab/maze/episode.h"

namespace elastane::maze {

struct MapScenario {
  std::string map;  // file name
  int width = 0, height = 0;
  Cell start, goal;
  double shortest = 0;  // as published
};

// Start and goal are free cells of the map with a path between them. The agents' plan is the map, or empty.
enum class KnownPlan { map, nothing };
Result<Episode> make_episode(const Grid& map, const MapScenario& scenario, KnownPlan known = KnownPlan::map);

// A scenario that a page can show, on maps of at most kMaxShownSide cells per side. Endpoints that are not given are
// chosen far from each other, with a path between them.
inline constexpr int kMaxShownSide = 256, kLongestShownPath = 1024;
struct Endpoints {
  std::optional<Cell> start, goal;
};
Result<MapScenario> choose_scenario(const Grid& map, const Endpoints& endpoints = {});

struct WallChange {
  int closed = 4, opened = 4;  // numbers of cells: of the shortest path, of walls
};
// Walls change during the episode without notice: cells of the shortest path close and some walls open. Every cell that
// could reach the goal still can, even without the walls that opened.
Episode with_change(Episode episode, const WallChange& change, std::uint64_t seed);

}  // namespace elastane::maze
