// Tests of elastane/core/corrector/report.cpp.
#include "elastane/core/corrector/report.h"

#include <gtest/gtest.h>

#include <set>

namespace elastane {
namespace {

TEST(StepReport, NamesEveryStopAndStageDifferently) {
  std::set<std::string_view> reasons, stages;
  for (int i = 0; i < kStops; ++i) reasons.insert(name(static_cast<Stop>(i)));
  for (int i = 0; i < kStages; ++i) stages.insert(name(static_cast<Stage>(i)));
  EXPECT_EQ(reasons.size(), static_cast<std::size_t>(kStops));
  EXPECT_EQ(stages.size(), static_cast<std::size_t>(kStages));
  EXPECT_EQ(name(Stop::no_such_step), "no_such_step");
  EXPECT_EQ(name(Stage::other), "other");
}

TEST(StepReport, SumsTheMultiplyAddsOfItsStages) {
  StepReport report;
  report.macs[0] = 5;
  report.macs[kStages - 1] = 7;
  EXPECT_EQ(report.total_macs(), 12);
}

}  // namespace
}  // namespace elastane
