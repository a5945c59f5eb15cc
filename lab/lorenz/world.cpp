#include "lab/lorenz/world.h"

namespace elastane::lorenz {

lab::World world() { return {.name = "lorenz", .what = "The Lorenz attractor"}; }

}  // namespace elastane::lorenz
