// elastane/train/schedule.h: where each schedule begins, peaks and ends.
#include "elastane/train/schedule.h"

#include <gtest/gtest.h>

namespace elastane::train {
namespace {

TEST(Schedule, WarmsUpLinearly) {
  for (const ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::cosine}) {
    const Schedule schedule{.kind = kind, .steps = 1'000'000, .warm_up = 10};
    for (int step = 0; step < 10; ++step) EXPECT_NEAR(schedule(step), 0.1 * (step + 1), 1e-6);
  }
}

TEST(Schedule, ConstantStaysAtItsLargest) {
  const Schedule schedule{.kind = ScheduleKind::constant, .steps = 100, .warm_up = 10};
  for (int step = 10; step < 100; ++step) EXPECT_EQ(schedule(step), 1);
}

TEST(Schedule, CosineFallsToItsLastShare) {
  const Schedule schedule{.kind = ScheduleKind::cosine, .steps = 100, .warm_up = 0, .last = 0.02};
  EXPECT_EQ(schedule(0), 1);
  EXPECT_NEAR(schedule(50), 0.51, 1e-12);
  EXPECT_NEAR(schedule(100), 0.02, 1e-12);
  for (int step = 1; step <= 100; ++step) EXPECT_LT(schedule(step), schedule(step - 1));
}

TEST(Schedule, OneCycleRisesForThreeTenthsOfTheRun) {
  const Schedule schedule{.kind = ScheduleKind::one_cycle, .steps = 100, .last = 0.01};
  EXPECT_NEAR(schedule(0), 0.04, 1e-12);
  EXPECT_NEAR(schedule(30), 1, 1e-12);
  EXPECT_NEAR(schedule(100), 0.0001, 1e-12);
  for (int step = 1; step <= 30; ++step) EXPECT_GT(schedule(step), schedule(step - 1));
  for (int step = 31; step <= 100; ++step) EXPECT_LT(schedule(step), schedule(step - 1));
}

TEST(Schedule, OfOneStepIsFinite) {
  for (const ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::cosine, ScheduleKind::one_cycle}) {
    const double share = Schedule{.kind = kind, .steps = 1, .warm_up = 0}(0);
    EXPECT_GT(share, 0);
    EXPECT_LE(share, 1);
  }
}

}  // namespace
}  // namespace elastane::train
