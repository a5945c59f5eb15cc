// elastane/planners/vec2.h: identities of the plane.
#include "elastane/planners/vec2.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"

namespace elastane::planners {
namespace {

TEST(Vec2, ProductsKeepTheirIdentities) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Vec2 a{random.normal(), random.normal()}, b{random.normal(), random.normal()};
    EXPECT_NEAR(dot(a, b) * dot(a, b) + cross(a, b) * cross(a, b), dot(a, a) * dot(b, b), 1e-12);
    EXPECT_DOUBLE_EQ(dot(a, turned_left(a)), 0);
    EXPECT_GT(cross(a, turned_left(a)), 0);
    EXPECT_EQ(2.5 * a, a * 2.5);
    EXPECT_NEAR(norm(direction(a)), 1, 1e-15);
  }
}

TEST(Vec2, ShorteningKeepsTheDirectionAndLeavesShortVectorsAlone) {
  EXPECT_EQ(shortened({0.3, 0.4}, 1), (Vec2{0.3, 0.4}));
  EXPECT_NEAR(shortened({3, 4}, 1).x, 0.6, 1e-15);
  EXPECT_NEAR(shortened({3, 4}, 1).y, 0.8, 1e-15);
  EXPECT_EQ(shortened({}, 0), Vec2{});
  EXPECT_EQ(direction({}), Vec2{});
}

}  // namespace
}  // namespace elastane::planners
