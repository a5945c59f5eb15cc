// lab/navigation/geometry.h: rays against marching along them.
#include "lab/navigation/geometry.h"

#include <gtest/gtest.h>

#include <numbers>

#include "elastane/core/base/random.h"

namespace elastane::navigation {
namespace {

// by steps as long as nothing can be nearer
template <class Shape>
double march(const Shape& shape, Vec2 from, Vec2 direction) {
  double t = 0;
  while (t < 3) {
    const double room = distance(shape, from + direction * t);
    if (room < 1e-9) return t;
    t += room;
  }
  return kNoHit;
}

template <class Shape>
void expect_same_hits(const Shape& shape, Random& random) {
  const double turn = random.uniform(0, 2 * std::numbers::pi);
  const Vec2 from{random.uniform(), random.uniform()}, direction{std::cos(turn), std::sin(turn)};
  const double exact = cast(shape, from, direction), marched = march(shape, from, direction);
  if (marched == kNoHit) {
    // a ray that only just touches may be missed by one of the two
    EXPECT_TRUE(exact == kNoHit || distance(shape, from + direction * exact) < 1e-6);
    return;
  }
  EXPECT_NEAR(exact, marched, 1e-4);
}

TEST(Geometry, RaysHitWhereMarchingAlongThemArrives) {
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    expect_same_hits(Disc{{random.uniform(), random.uniform()}, random.uniform(0.01, 0.3)}, random);
    expect_same_hits(Barrier{{random.uniform(), random.uniform()}, {random.uniform(), random.uniform()}, 0.02}, random);
  }
}

TEST(Geometry, ARayFromInsideIsAtItsEndAtOnce) {
  EXPECT_EQ(cast(Disc{{0.5, 0.5}, 0.1}, {0.52, 0.5}, {1, 0}), 0);
  EXPECT_EQ(cast(Barrier{{0.2, 0.5}, {0.8, 0.5}, 0.05}, {0.5, 0.52}, {0, 1}), 0);
}

TEST(Geometry, TheEdgeIsAsFarAsItIs) {
  EXPECT_DOUBLE_EQ(cast_to_edge({0.25, 0.5}, {1, 0}), 0.75);
  EXPECT_DOUBLE_EQ(cast_to_edge({0.25, 0.5}, {-1, 0}), 0.25);
  EXPECT_DOUBLE_EQ(cast_to_edge({0.25, 0.5}, {0, -1}), 0.5);
}

}  // namespace
}  // namespace elastane::navigation
