// `elastane reproduce recall`: what a bounded state can recall, what it costs, and memories that write only what is worth it.
#pragma once

#include "lab/world.h"

namespace elastane::recall {

lab::Reproduction recall_reproduction();

}  // namespace elastane::recall
