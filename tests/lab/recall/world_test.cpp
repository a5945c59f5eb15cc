// lab/recall/world.cpp: what programs see of the world.
#include "lab/recall/world.h"

#include <gtest/gtest.h>

namespace elastane::recall {
namespace {

TEST(World, HasItsName) { EXPECT_EQ(world().name, "recall"); }

}  // namespace
}  // namespace elastane::recall
