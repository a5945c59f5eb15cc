// Who takes part in the maze benchmark.
#pragma once

#include "lab/maze/benchmark.h"

namespace elastane::maze {

// on mazes of this shape: networks know no diagonal moves
std::vector<Entrant> line_up(const Walkers& walkers, const MapShape& shape);
// the grid; who was trained with the same price has the same settings
std::vector<Entrant> priced_line_up(const Walkers& walkers);

}  // namespace elastane::maze
