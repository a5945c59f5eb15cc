// lab/crowd/roster.h: the data of experiments/crowdnav/settings.
#include "lab/crowd/roster.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace elastane::crowd {
namespace {

TEST(CrowdRoster, EndsWithOurAgentAndHasReferenceFigures) {
  const auto all = roster(Budget::none());
  ASSERT_EQ(all.size(), 9U);
  EXPECT_EQ(all.back().name, "corrected plan");
  EXPECT_EQ(all[4].name, "ORCA, safety .20 m");
  ASSERT_TRUE(all[4].reference);
  EXPECT_EQ(all[4].reference->success, 0.936);
  EXPECT_FALSE(all[0].reference->time);
  EXPECT_FALSE(all[5].reference);
}

TEST(CrowdRoster, TuningChangesOneSettingAtATime) {
  const auto all = tried_settings();
  ASSERT_EQ(all.size(), 29U);
  EXPECT_EQ(all[0].name, "as it is");
  EXPECT_EQ(all[1].name, "depth 3");
  EXPECT_EQ(all[16].name, "margin growth 0.03");
}

TEST(CrowdRoster, UnknownOptionsAreNamed) {
  CorrectedOptions options;
  set_option(options, "knots", 8);
  EXPECT_EQ(options.shape.knots, 8);
  EXPECT_THROW(set_option(options, "courage", 1), std::runtime_error);
}

}  // namespace
}  // namespace elastane::crowd
