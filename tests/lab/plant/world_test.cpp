// lab/plant/world.cpp: what programs see of the world.
#include "lab/plant/world.h"

#include <gtest/gtest.h>

namespace elastane::plant {
namespace {

TEST(World, ReproducesItsTable) {
  EXPECT_EQ(world().name, "plant");
  ASSERT_EQ(world().reproductions.size(), 1u);
  EXPECT_EQ(world().reproductions[0].name, "plants");
}

}  // namespace
}  // namespace elastane::plant
