// lab/navigation/observation.h: the directions of the rays.
#include "lab/navigation/observation.h"

#include <gtest/gtest.h>

namespace elastane::navigation {
namespace {

TEST(Observation, RaysAreEvenlySpacedUnitVectors) {
  EXPECT_EQ(ray_direction(0), (Vec2{1, 0}));
  for (int i = 0; i < kRays; ++i) {
    EXPECT_NEAR(norm(ray_direction(i)), 1, 1e-15);
    EXPECT_NEAR(dot(ray_direction(i), ray_direction((i + 1) % kRays)), std::cos(2 * M_PI / kRays), 1e-12);
  }
}

}  // namespace
}  // namespace elastane::navigation
