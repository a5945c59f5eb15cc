// What `elastane reproduce` offers of this world beside its table: tuning, a preview, structures, an endless episode.
#pragma once

#include <vector>

#include "lab/world.h"

namespace elastane::peptide {

std::vector<lab::Reproduction> reproductions();

}  // namespace elastane::peptide
