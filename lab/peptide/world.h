// What programs see of peptide.
#pragma once

#include "lab/world.h"

namespace elastane::peptide {

lab::World world();

}  // namespace elastane::peptide
