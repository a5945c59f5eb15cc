// One episode's task: a maze, what changes in it, where to go from, where to.
//
//   Task task = draw_lattice({.size = 15}, seed);
//   Walk walk(task);
//   while (!walk.over()) walk.move(agent.act(walk.look()));
//
// `plan` is what anybody may expect before they see anything: in a lattice that there are corridors between all nodes
// and walls elsewhere; of a map from a file, that nothing is in the way.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "lab/maze/grid.h"

namespace elastane::maze {

inline constexpr int kNever = std::numeric_limits<int>::max();

struct Task {
  std::uint64_t seed = 0;  // that it was drawn by, for agents that draw lots
  Grid plan;
  Grid before, after;  // the maze, and as it is from step change_at on
  int change_at = kNever;
  std::vector<Cell> doors;  // cells that may be walls at one time and free at another
  Cell start, goal;
  Moves moves = Moves::four;
  int pitch = 0;  // of the lattice: nodes are so many cells apart; 0: no lattice

  // The reference that ways are measured by: the shortest way through the maze as it is when the walk begins, of one
  // who knows all of it. A change may make it longer or shorter; nobody is told.
  double shortest = 0;
};

// fills in the reference
void measure(Task& task);

}  // namespace elastane::maze
