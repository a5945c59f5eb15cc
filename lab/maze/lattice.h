// Mazes on a lattice: nodes three cells apart, corridors of two cells between some of them, doors in some of those.
//
// A random tree joins all nodes and some more corridors make loops. In some places four nodes become a room, which is
// entered through gaps of one cell. Doors stand in corridors; about half of them are closed, and in mid-episode some
// doors that were closed open and as many that were open close. Whatever is closed, every node can be reached from
// every other.
#pragma once

#include <cstdint>

#include "elastane/core/base/result.h"
#include "lab/maze/task.h"

namespace elastane::maze {

inline constexpr int kPitch = 3;

struct LatticeOptions {
  int size = 15;           // cells a side, a multiple of kPitch: (size/3)² nodes
  double loops = 0.5;      // share of the corridors that the tree left out
  int doors = -1;          // below 0: 6 at 15 x 15, and as many more as there is more area
  double changing = 0.34;  // share of closed doors that open in mid-episode
  int rooms = -1;          // below 0: 1 at 15 x 15, and so on
};
Status validate(const LatticeOptions& options);

Task draw_lattice(const LatticeOptions& options, std::uint64_t seed);

}  // namespace elastane::maze
