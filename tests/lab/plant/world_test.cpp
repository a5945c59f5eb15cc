// lab/plant/world.cpp: what programs see of the world.
#include "lab/plant/world.h"

#include <gtest/gtest.h>

namespace elastane::plant {
namespace {

TEST(World, ReproducesItsTables) {
  EXPECT_EQ(world().name, "plant");
  ASSERT_EQ(world().reproductions.size(), 2u);
  EXPECT_EQ(world().reproductions[0].name, "plants");
  EXPECT_EQ(world().reproductions[1].name, "guard");
}

}  // namespace
}  // namespace elastane::plant
