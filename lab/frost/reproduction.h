// `elastane reproduce frost`: what recursion in depth proves, what it learns, and what it costs.
#pragma once

#include "lab/world.h"

namespace elastane::frost {

lab::Reproduction frost_reproduction();

}  // namespace elastane::frost
