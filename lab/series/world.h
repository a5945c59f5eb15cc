// What programs see of series.
#pragma once

#include "lab/world.h"

namespace elastane::series {

lab::World world();

}  // namespace elastane::series
