// elastane reproduce plants: streams that adapt to plants whose parameters change (experiments/plants).
#pragma once

#include "lab/world.h"

namespace elastane::plant {

lab::Reproduction plants_reproduction();

}  // namespace elastane::plant
