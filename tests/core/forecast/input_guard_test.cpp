// elastane/core/forecast/input_guard.cpp
#include "elastane/core/forecast/input_guard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

constexpr int kGuardWindow = 24;

// a guard that has seen errors of about 0.1 in 1,000 rows about a season
class Guarded {
 public:
  explicit Guarded(double zero = -10)
      : zero_(zero), guard_({.outside = 4, .inside = 5, .after = 500}, kGuardWindow), held_(2 * kGuardWindow) {
    for (int t = 0; t < 1000; ++t) {
      const double value = season(t) + 0.1 * random_.normal();
      guard_.is_stuck(value, state);
      guard_.learn_value(value, zero_, state);
      guard_.follow({value - season(t), value, last_, 0}, state);
      last_ = value;
    }
  }

  static double season(int t) { return std::sin(2 * M_PI * t / kGuardWindow); }
  double true_value(int t) { return season(t) + 0.1 * random_.normal(); }

  // the row after the last one
  Reading feed(double u, int t) {
    const double forecast = season(t);
    const Reading reading = guard_.judge(u, {forecast, -2, 2, zero_, last_, 0, 0.5, NAN}, state, held_.data(), x);
    if (reading == Reading::accepted) last_ = x;
    return reading;
  }

  static constexpr double kZero = -10;  // the zero of data that are all above it
  TargetGuard state;
  double x = 0;

 private:
  double zero_;
  Random random_{3};
  InputGuard guard_;
  std::vector<double> held_;
  double last_ = 0;
};

TEST(InputGuard, KnowsTheSizeOfErrors) {
  Guarded guarded;
  EXPECT_NEAR(guarded.state.limit(), 0.26, 0.08);  // 99 % of normal errors of 0.1
}

TEST(InputGuard, AcceptsWhatIsForecast) {
  Guarded guarded;
  for (int t = 0; t < 500; ++t) EXPECT_EQ(guarded.feed(guarded.true_value(t), t), Reading::accepted) << t;
  EXPECT_EQ(guarded.state.map, UnitMap());
}

TEST(InputGuard, ForgetsASpike) {
  for (const double size : {3.0, 30.0, 1e5, -1e8}) {
    Guarded guarded;
    EXPECT_EQ(guarded.feed(size, 0), Reading::held);
    EXPECT_EQ(guarded.state.followed(1), 0) << "one value is not followed";
    for (int t = 1; t < 100; ++t) EXPECT_EQ(guarded.feed(guarded.true_value(t), t), Reading::accepted) << size;
    EXPECT_EQ(guarded.state.map, UnitMap());
    EXPECT_EQ(guarded.state.returns, 1);
  }
}

TEST(InputGuard, MovesWithALevelSoThatNothingBehindItSeesAChange) {
  Guarded guarded;
  EXPECT_EQ(guarded.feed(guarded.true_value(0) + 8, 0), Reading::held);
  EXPECT_EQ(guarded.feed(guarded.true_value(1) + 8, 1), Reading::accepted);
  for (int t = 2; t < 200; ++t) {
    ASSERT_EQ(guarded.feed(guarded.true_value(t) + 8, t), Reading::accepted) << t;
    EXPECT_NEAR(guarded.x, Guarded::season(t), 0.8);
  }
  EXPECT_NEAR(guarded.state.map.shift, -8, 0.4);
}

TEST(InputGuard, RecognisesAnotherUnitInBothDirections) {
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

TEST(InputGuard, RecognisesALargerUnitWhereForecastsExplainZero) {
  // values that change their sign: a thousandth of them lies within every bound
  Guarded guarded(0);
  Random random(9);
  int t = 0;
  for (; t < 24 && guarded.state.map == UnitMap(); ++t) guarded.feed(1e-3 * guarded.true_value(t), t);
  EXPECT_LE(t, 16);
  EXPECT_NEAR(guarded.state.map.slope, 1e3, 1e-6);
}

TEST(InputGuard, IsTheSameAfterABurstOfAnyLength) {
  for (const int length : {20, 100, 1000}) {
    Guarded guarded;
    Random random(5);
    int t = 0;
    for (; t < length; ++t) guarded.feed(1e5 * random.sign() * random.uniform(0.5, 1.5), t);
    for (; t < length + 48; ++t) guarded.feed(guarded.true_value(t), t);
    EXPECT_EQ(guarded.state.map, UnitMap()) << length;
    EXPECT_LT(guarded.state.limit(), 0.6);
  }
}

TEST(InputGuard, ABurstThatAgreesForTwoRowsIsNotALevel) {
  Guarded guarded;
  int t = 0;
  for (const double off : {8.0, 8.0, -9.0, 6.0, -12.0, 8.2, 8.1, 10.0, -7.0, -7.2, 11.0}) {
    guarded.feed(guarded.true_value(t) + off, t);
    ++t;
  }
  for (const int end = t + 30; t < end; ++t) {
    ASSERT_EQ(guarded.feed(guarded.true_value(t), t), Reading::accepted) << t;
  }
  EXPECT_EQ(guarded.state.map, UnitMap());
  EXPECT_LT(guarded.state.limit(), 0.6);
}

TEST(InputGuard, TellsAStuckSensor) {
  Guarded guarded;
  Reading reading = Reading::accepted;
  for (int t = 0; t < 30; ++t) reading = guarded.feed(0.25, t);
  EXPECT_EQ(reading, Reading::stuck);
  EXPECT_EQ(guarded.feed(guarded.true_value(30), 30), Reading::accepted);
}

TEST(InputGuard, DoesNotBelieveACodeForNothing) {
  Guarded guarded;
  for (int t = 0; t < 60; ++t) {
    const bool is_code = t % 10 == 5 || (t > 20 && t % 10 == 6);
    const Reading reading = guarded.feed(is_code ? -999 : guarded.true_value(t), t);
    EXPECT_TRUE(t <= 20 || reading == (is_code ? Reading::held : Reading::accepted)) << t;
  }
  EXPECT_EQ(guarded.state.map, UnitMap());
}

}  // namespace
}  // namespace elastane
