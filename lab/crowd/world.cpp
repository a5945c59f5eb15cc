#include "lab/crowd/world.h"

namespace elastane::crowd {

lab::World world() { return {.name = "crowd", .what = ""}; }

}  // namespace elastane::crowd
