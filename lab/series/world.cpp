#include "lab/series/world.h"

namespace elastane::series {

lab::World world() { return {.name = "series", .what = ""}; }

}  // namespace elastane::series
