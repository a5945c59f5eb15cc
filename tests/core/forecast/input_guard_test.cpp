// elastane/core/forecast/input_guard.cpp
#include "elastane/core/forecast/input_guard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/core/forecast/guarded.h"

namespace elastane {
namespace {

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

// rain: mostly zero, and where it rains it does so for some rows
TEST(InputGuard, ARecordFarBeyondAnyIsNotFollowedWhereATargetMostlyRests) {
  for (const double size : {20.0, 142.0}) {
    InputGuard guard({.outside = 4, .inside = 5, .after = 500}, kGuardWindow);
    TargetGuard state;
    double last = 0, highest = 0, x = 0;
    for (int t = 0; t < 2000; ++t) {
      const double u = t % 50 < 10 ? 5.0 - std::fabs(t % 50 - 5.0) : 0.0;
      guard.is_stuck(u, state);
      guard.learn_value(u, 0, state);
      guard.follow({u - 0.9 * last, u, last, 0.3}, state);
      highest = std::fmax(highest, u);
      last = u;
    }
    state.last_u = last;
    std::vector<double> held(2 * kGuardWindow);
    const Reading reading = guard.judge(size, {last, 0, highest, 0, last, 0.3, 1, NAN}, state, held.data(), x);
    EXPECT_EQ(reading, size < 50 ? Reading::accepted : Reading::held) << size;
  }
}

}  // namespace
}  // namespace elastane
