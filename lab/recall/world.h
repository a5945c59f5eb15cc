// What programs see of recall.
#pragma once

#include "lab/world.h"

namespace elastane::recall {

lab::World world();

}  // namespace elastane::recall
