#include "lab/language/world.h"

namespace elastane::language {

lab::World world() { return {.name = "language", .what = "The next byte of a real text"}; }

}  // namespace elastane::language
