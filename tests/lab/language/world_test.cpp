// lab/language/world.cpp: what programs see of the world.
#include "lab/language/world.h"

#include <gtest/gtest.h>

namespace elastane::language {
namespace {

TEST(World, HasItsName) { EXPECT_EQ(world().name, "language"); }

}  // namespace
}  // namespace elastane::language
