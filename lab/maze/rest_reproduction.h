// `elastane reproduce maze_rest`: what a step of an agent with a map takes, on maps of several sizes.
#pragma once

#include "lab/world.h"

namespace elastane::maze {

lab::Reproduction rest_reproduction();

}  // namespace elastane::maze
