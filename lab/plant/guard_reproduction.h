// elastane reproduce guard: plants that change and return, with a frozen, a corrected and a guarded stream.
#pragma once

#include "lab/world.h"

namespace elastane::plant {

lab::Reproduction guard_reproduction();

}  // namespace elastane::plant
