// elastane reproduce maze_maps: maps of the MovingAI benchmarks, on which no agent was trained, with walls that change
// (experiments/maze).
#pragma once

#include "lab/world.h"

namespace elastane::maze {

lab::Reproduction maps_reproduction();

}  // namespace elastane::maze
