// Episodes on the user's own map (docs/howto/maze.md), for `elastane play maze --map FILE`.
#pragma once

#include <memory>

#include "lab/world.h"

namespace elastane::maze {

// with the agents that can make diagonal moves
std::shared_ptr<lab::CustomEpisode> make_map_play();

}  // namespace elastane::maze
