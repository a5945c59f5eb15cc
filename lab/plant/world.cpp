#include "lab/plant/world.h"

namespace elastane::plant {

lab::World world() { return {.name = "plant", .what = ""}; }

}  // namespace elastane::plant
