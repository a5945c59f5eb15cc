// What programs see of drifting_target.
#pragma once

#include "lab/world.h"

namespace elastane::drifting_target {

lab::World world();

}  // namespace elastane::drifting_target
