// lab/lorenz/world.cpp: what programs see of the world.
#include "lab/lorenz/world.h"

#include <gtest/gtest.h>

namespace elastane::lorenz {
namespace {

TEST(World, HasNoTable) {
  EXPECT_EQ(world().name, "lorenz");
  EXPECT_TRUE(world().benchmarks.empty());
  EXPECT_TRUE(world().reproductions.empty());
}

}  // namespace
}  // namespace elastane::lorenz
