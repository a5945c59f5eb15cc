// What programs see of navigation.
#pragma once

#include "lab/world.h"

namespace elastane::navigation {

lab::World world();

}  // namespace elastane::navigation
