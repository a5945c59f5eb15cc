// Walks over a map that the user drew (docs/howto/maze.md), for `elastane play maze`.
#pragma once

#include <memory>

#include "lab/world.h"

namespace elastane::maze {

// the agents of the maze that know diagonal moves
std::shared_ptr<lab::CustomEpisode> make_custom_map();

}  // namespace elastane::maze
