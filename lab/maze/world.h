// What programs see of maze.
#pragma once

#include "lab/world.h"

namespace elastane::maze {

lab::World world();

}  // namespace elastane::maze
