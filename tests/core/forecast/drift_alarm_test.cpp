// elastane/core/forecast/drift_alarm.cpp
#include "elastane/core/forecast/drift_alarm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

constexpr double kRate = 1e-3;

// counts over rows of an alarm: unusual rows and drifts
struct Counts {
  double unusual = 0, drifts = 0;
};

template <class Error>
Counts feed(TargetAlarm& alarm, int rows, Error error) {
  Counts counts;
  for (int t = 0; t < rows; ++t) {
    const AlarmVerdict verdict = judge_row({.error = error(), .step = error(), .clock = {}}, kRate, alarm);
    counts.unusual += verdict.is_unusual ? 1 : 0;
    counts.drifts += verdict.drift != DriftKind::none ? 1 : 0;
  }
  return counts;
}

TEST(DriftAlarm, KeepsItsRateWhateverTheErrorsLookLike) {
  Random random(5);
  double volatility = 1, last = 0;
  const auto normal = [&] { return random.normal(); };
  const auto heavy = [&] { return random.normal() / std::sqrt(random.uniform() + 1e-3); };
  // errors whose size and sign depend on those before
  const auto clustered = [&] {
    volatility = std::exp(0.98 * std::log(volatility) + 0.1 * random.normal());
    return last = 0.4 * last + volatility * random.normal();
  };
  const auto check = [&](auto error) {
    TargetAlarm alarm;
    feed(alarm, 4'000, error);
    constexpr int kRows = 100'000;
    const Counts counts = feed(alarm, kRows, error);
    const double rate = (counts.unusual + counts.drifts) / kRows;
    EXPECT_GT(rate, kRate / 2);
    EXPECT_LT(rate, kRate * 2);
  };
  check(normal);
  check(heavy);
  check(clustered);
}

TEST(DriftAlarm, SeesASpikeAtOnceALevelSoonAndALargerNoiseWithinTwoHundredRows) {
  Random random(7);
  TargetAlarm calm;
  feed(calm, 4'000, [&] { return random.normal(); });
  TargetAlarm alarm = calm;
  EXPECT_LT(judge_row({.error = 8, .step = 8, .clock = {}}, kRate, alarm).p_value, kRate);
  int found_level = 0, found_noise = 0;
  for (int trial = 0; trial < 20; ++trial) {
    alarm = calm;
    found_level += feed(alarm, 24, [&] { return 1.5 + random.normal(); }).drifts > 0 ? 1 : 0;
    alarm = calm;
    found_noise += feed(alarm, 200, [&] { return 1.5 * random.normal(); }).drifts > 0 ? 1 : 0;
  }
  EXPECT_GE(found_level, 18);
  EXPECT_GE(found_noise, 16);
}

TEST(DriftAlarm, TellsASeasonFromAScale) {
  Random random(3);
  const auto kind_after = [&](bool is_season) {
    TargetAlarm alarm;
    for (int t = 0; t < 6'000; ++t) {
      const double turn = 2 * M_PI * t / 24;
      const double clock[] = {std::sin(turn), std::cos(turn), std::sin(2 * turn), std::cos(2 * turn)};
      const bool is_changed = t >= 4'000;
      const double error =
          (is_changed && !is_season ? 2 : 1) * random.normal() + (is_changed && is_season ? 2 * clock[0] : 0);
      const AlarmVerdict verdict = judge_row({.error = error, .step = error, .clock = clock}, kRate, alarm);
      if (t > 4'072 && verdict.drift != DriftKind::none) return verdict.drift;
    }
    return DriftKind::none;
  };
  EXPECT_EQ(kind_after(true), DriftKind::season);
  EXPECT_EQ(kind_after(false), DriftKind::scale);
}

TEST(DriftAlarm, PutsTheKindRightOnceTheSeasonShows) {
  // a large change is reported before a season's worth of errors can show what it was
  Random random(3);
  TargetAlarm alarm;
  std::vector<DriftKind> kinds;
  for (int t = 0; t < 4'100; ++t) {
    const double turn = 2 * M_PI * t / 24;
    const double clock[] = {std::sin(turn), std::cos(turn), std::sin(2 * turn), std::cos(2 * turn)};
    const double error = random.normal() + (t >= 4'000 ? 6 * clock[0] : 0);
    const DriftKind drift = judge_row({.error = error, .step = error, .clock = clock}, kRate, alarm).drift;
    if (t >= 4'000 && drift != DriftKind::none) kinds.push_back(drift);
  }
  ASSERT_FALSE(kinds.empty());
  EXPECT_NE(kinds.front(), DriftKind::season);
  EXPECT_NE(std::ranges::find(kinds, DriftKind::season), kinds.end());
  EXPECT_LT(alarm.since_season, 100);
}

TEST(DriftAlarm, OneEventRaisesAThresholdOnce) {
  TrackedThreshold threshold;
  threshold.rest = 100;
  for (int t = 0; t < 20; ++t) EXPECT_TRUE(threshold.follow(50, 7, kRate));
  EXPECT_LT(threshold.above, 1);
}

TEST(DriftAlarm, StaysOnForSomeRowsAndCountsOnce) {
  DriftAlarm alarm;
  for (int t = 0; t < 5; ++t) alarm.follow(DriftKind::level);
  EXPECT_EQ(alarm.on(), DriftKind::level);
  for (int t = 0; t < 30; ++t) alarm.follow(DriftKind::none);
  EXPECT_EQ(alarm.on(), DriftKind::none);
  EXPECT_EQ(alarm.raised, 1);
}

}  // namespace
}  // namespace elastane
