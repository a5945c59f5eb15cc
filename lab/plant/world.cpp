#include "lab/plant/world.h"

#include "lab/plant/guard_reproduction.h"
#include "lab/plant/reproduction.h"

namespace elastane::plant {

lab::World world() {
  lab::World world{.name = "plant", .what = "A circuit and a reactor whose parameters change"};
  world.reproductions = {plants_reproduction(), guard_reproduction()};
  return world;
}

}  // namespace elastane::plant
