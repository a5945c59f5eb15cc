// What programs see of crowd.
#pragma once

#include "lab/world.h"

namespace elastane::crowd {

lab::World world();

}  // namespace elastane::crowd
