#include "lab/drifting_target/world.h"

#include "lab/drifting_target/reproduction.h"

namespace elastane::drifting_target {

lab::World world() {
  lab::World world{.name = "drifting_target", .what = "A target that drifts and jumps"};
  world.reproductions = {drifting_target_reproduction()};
  return world;
}

}  // namespace elastane::drifting_target
