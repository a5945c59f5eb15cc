// The series world as programs see it: `elastane reproduce series`.
#pragma once

#include "lab/world.h"

namespace elastane::series {

lab::World world();

}  // namespace elastane::series
