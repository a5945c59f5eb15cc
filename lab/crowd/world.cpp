#include "lab/crowd/world.h"

#include "lab/crowd/dense_reproduction.h"
#include "lab/crowd/reproduction.h"

namespace elastane::crowd {

lab::World world() {
  return {.name = "crowd",
          .what = "A robot crosses a circle of people who do not see it",
          .reproductions = {crowdnav_reproduction(), dense_reproduction()}};
}

}  // namespace elastane::crowd
