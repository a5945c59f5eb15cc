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

TEST(InputGuardMaps, TwoWildValuesThatATenthExplainsAreNotAnotherUnit) {
  Guarded guarded;
  const auto wild = [&](double tenfold) { return Guarded::kZero + tenfold * (guarded.true_value(0) - Guarded::kZero); };
  EXPECT_EQ(guarded.feed(wild(10.1), 0), Reading::held);
  EXPECT_EQ(guarded.feed(wild(9.9), 1), Reading::held);
  EXPECT_EQ(guarded.state.map, UnitMap());
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

TEST(InputGuardMaps, RecognisesALargerUnitBySeasonsWhereSomeHoursAreAlwaysNearZero) {
  // a value next to zero in every season makes no single value tiny
  const auto day = [](int t) { return 1 + std::sin(2 * M_PI * t / kGuardWindow) + 1e-6; };
  const auto rows_until_found = [&](const auto& value) {
    Guarded guarded(0);
    guarded.state.log_small = std::log(1e-7);
    guarded.state.least_size = 1e-7;
    int t = 0;
    for (; t < 2 * kGuardWindow && guarded.state.map == UnitMap(); ++t) guarded.feed(value(t), t, day(t));
    if (guarded.state.map == UnitMap()) return -1;
    EXPECT_NEAR(guarded.state.map.slope, 1e3, 1e-6);
    return t;
  };
  const int found = rows_until_found([&](int t) { return 1e-3 * day(t); });
  EXPECT_GE(found, 8);
  EXPECT_LE(found, kGuardWindow);
  // a machine that rests makes a small noise, which does not rise and fall with the season
  Random random(4);
  EXPECT_EQ(rows_until_found([&](int) { return 1e-3 * (1 + 0.1 * random.normal()); }), -1);
}

}  // namespace
}  // namespace elastane
