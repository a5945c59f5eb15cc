// elastane/core/forecast/drift_alarm.h
#include "elastane/core/forecast/drift_alarm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

TEST(DriftAlarm, IsCalmAtRestRisesWithTheErrorAndFallsWithIt) {
  const AlarmOptions options;
  DriftAlarm alarm;
  Random random(5);
  for (int t = 0; t < 50000; ++t) alarm.follow(options, std::pow(random.normal(), 2), 4);
  EXPECT_EQ(alarm.raised, 0);
  int rows = 0;
  while (alarm.on == 0 && rows < 1000) rows += 1, alarm.follow(options, 9 * std::pow(random.normal(), 2), 4);
  EXPECT_LT(rows, 100);
  for (int t = 0; t < 500; ++t) alarm.follow(options, std::pow(random.normal(), 2), 4);
  EXPECT_EQ(alarm.on, 0);
  EXPECT_GE(alarm.raised, 1);
}

}  // namespace
}  // namespace elastane
