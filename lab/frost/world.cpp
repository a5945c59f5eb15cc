#include "lab/frost/world.h"

#include "lab/frost/reproduction.h"

namespace elastane::frost {

lab::World world() {
  lab::World world{.name = "frost", .what = "Recursion in depth: grids, prefixes, and streams that idle and move"};
  world.reproductions = {frost_reproduction()};
  return world;
}

}  // namespace elastane::frost
