// Images that are classified by recursion in depth.
#pragma once

#include "lab/world.h"

namespace elastane::images {

lab::World world();

}  // namespace elastane::images
