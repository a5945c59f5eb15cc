// One corridor that winds from the top to the bottom: every path through it is long.
#pragma once

#include "lab/maze/grid.h"

namespace elastane::maze {

inline Grid serpentine(int side) {
  Grid map(side, side, false);
  for (int y = 1; y < side; y += 2) {
    for (int x = 0; x < side; ++x) map.set_wall({x, y}, x != (y % 4 == 1 ? side - 1 : 0));
  }
  return map;
}

}  // namespace elastane::maze
