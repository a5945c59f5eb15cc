// What programs see of protein_loop.
#pragma once

#include "lab/world.h"

namespace elastane::protein_loop {

lab::World world();

}  // namespace elastane::protein_loop
