// elastane/core/forecast/input_guard_maps.cpp
#include <gtest/gtest.h>

#include "tests/core/forecast/guarded.h"

namespace elastane {
namespace {

TEST(InputGuardMaps, MovesWithALevelSoThatNothingBehindItSeesAChange) {
  Guarded guarded;
  EXPECT_EQ(guarded.feed(guarded.true_value(0) + 8, 0), Reading::held);
  EXPECT_EQ(guarded.feed(guarded.true_value(1) + 8, 1), Reading::accepted);
  for (int t = 2; t < 200; ++t) {
    ASSERT_EQ(guarded.feed(guarded.true_value(t) + 8, t), Reading::accepted) << t;
    EXPECT_NEAR(guarded.x, Guarded::season(t), 0.8);
  }
  EXPECT_NEAR(guarded.state.map.shift, -8, 0.4);
}

TEST(InputGuardMaps, RecognisesAnotherUnitInBothDirections) {
  for (const double unit : {1e-3, 1e3}) {
    Guarded guarded;
    const auto in_unit = [&](double u) { return Guarded::kZero + unit * (u - Guarded::kZero); };
    int t = 0;
    while (t < 10 && guarded.feed(in_unit(guarded.true_value(t)), t) != Reading::accepted) ++t;
    EXPECT_LE(t, 3);
    EXPECT_NEAR(guarded.state.map.slope * unit, 1, 1e-9);
    // and back
    for (++t; t < 100; ++t) guarded.feed(in_unit(guarded.true_value(t)), t);
    for (; t < 110; ++t) guarded.feed(guarded.true_value(t), t);
    EXPECT_NEAR(guarded.state.map.slope, 1, 1e-9);
  }
}

TEST(InputGuardMaps, RecognisesALargerUnitWhereForecastsExplainZero) {
  // values that change their sign: a thousandth of them lies within every bound
  Guarded guarded(0);
  Random random(9);
  int t = 0;
  for (; t < 24 && guarded.state.map == UnitMap(); ++t) guarded.feed(1e-3 * guarded.true_value(t), t);
  EXPECT_LE(t, 16);
  EXPECT_NEAR(guarded.state.map.slope, 1e3, 1e-6);
}

}  // namespace
}  // namespace elastane
