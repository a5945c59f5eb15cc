// What programs see of lorenz.
#pragma once

#include "lab/world.h"

namespace elastane::lorenz {

lab::World world();

}  // namespace elastane::lorenz
