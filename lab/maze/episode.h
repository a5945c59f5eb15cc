// The data of one episode: a maze, how it changes, start and goal.
//
//   Episode episode = draw_lattice({.size = 15}, seed);
//   Environment environment(episode);
//   while (!environment.over()) environment.step(agent.act(environment.observe()));
//
// `plan` is what an agent may expect before it has seen anything: in a lattice, corridors between all nodes and walls
// elsewhere; on a map from a file, that map, or no walls at all.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "lab/maze/grid.h"

namespace elastane::maze {

inline constexpr int kNever = std::numeric_limits<int>::max();

struct Episode {
  std::uint64_t seed = 0;  // that it was drawn with, for agents that draw random numbers
  Grid plan;
  Grid before, after;  // the maze, and the maze from step change_at on
  int change_at = kNever;
  std::vector<Cell> doors;  // cells that may be walls at one time and free at another
  Cell start, goal;
  Moves moves = Moves::four;
  int pitch = 0;  // distance between the nodes of the lattice, in cells; 0: not a lattice

  // The reference for path lengths: the shortest path through the maze as it is at the start, with full knowledge. A
  // change may make it longer or shorter; agents are not informed.
  double shortest = 0;
};

// fills in `shortest`
void measure_shortest(Episode& episode);

}  // namespace elastane::maze
