// The table of Elastic State Models, as programs see it.
#pragma once

#include "lab/world.h"

namespace elastane::esm {

lab::World world();

}  // namespace elastane::esm
