#include "lab/recall/world.h"

#include "lab/recall/reproduction.h"

namespace elastane::recall {

lab::World world() {
  lab::World world{.name = "recall", .what = "Prompts with an instruction: recall, needle, copy and others"};
  world.reproductions = {elastic_attention_reproduction()};
  return world;
}

}  // namespace elastane::recall
