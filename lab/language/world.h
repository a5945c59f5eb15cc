// What programs see of language.
#pragma once

#include "lab/world.h"

namespace elastane::language {

lab::World world();

}  // namespace elastane::language
