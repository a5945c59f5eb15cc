// lab/drifting_target/world.cpp: what programs see of the world.
#include "lab/drifting_target/world.h"

#include <gtest/gtest.h>

namespace elastane::drifting_target {
namespace {

TEST(World, ReproducesItsTable) {
  EXPECT_EQ(world().name, "drifting_target");
  ASSERT_EQ(world().reproductions.size(), 1u);
  EXPECT_EQ(world().reproductions[0].name, "drifting_target");
}

}  // namespace
}  // namespace elastane::drifting_target
