// elastane reproduce drifting_target: which metric follows a drifting target best (experiments/drifting_target).
#pragma once

#include "lab/world.h"

namespace elastane::drifting_target {

lab::Reproduction drifting_target_reproduction();

}  // namespace elastane::drifting_target
