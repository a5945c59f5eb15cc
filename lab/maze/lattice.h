// Mazes on a lattice: nodes three cells apart, corridors of two cells between some of them, doors in some of those.
//
// A random tree joins all nodes, and some more corridors make loops. In some places four nodes become a room, which is
// entered through gaps of one cell. Doors are in corridors; about half of them are closed. During the episode some
// closed doors open and as many open doors close. Every node can always be reached from every other.
#pragma once

#include <cstdint>

#include "elastane/core/base/result.h"
#include "lab/maze/episode.h"

namespace elastane::maze {

inline constexpr int kPitch = 3;

struct LatticeOptions {
  int size = 15;           // cells per side, a multiple of kPitch: (size/3)² nodes
  double loops = 0.5;      // share of the corridors outside the tree that are opened
  int doors = -1;          // below 0: 6 at 15 x 15, in proportion to the area
  double changing = 0.34;  // share of closed doors that open during the episode
  int rooms = -1;          // below 0: 1 at 15 x 15, in proportion to the area
};
Status validate(const LatticeOptions& options);

Episode draw_lattice(const LatticeOptions& options, std::uint64_t seed);

}  // namespace elastane::maze
