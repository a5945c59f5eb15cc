// FROST, arXiv 2601.19551: one stationary map, applied again and again until the answer is ready.
#pragma once

#include "lab/world.h"

namespace elastane::frost {

lab::World world();

}  // namespace elastane::frost
