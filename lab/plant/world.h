// What programs see of plant.
#pragma once

#include "lab/world.h"

namespace elastane::plant {

lab::World world();

}  // namespace elastane::plant
