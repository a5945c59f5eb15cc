// elastane/serve/figures.cpp
#include "elastane/serve/figures.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

TEST(Figures, TextHasEveryCounterOnceAndNoId) {
  Figures figures;
  figures.rows = 7;
  figures.refuse(Refusal::gap);
  figures.count({{.depth = 3, .accepted = 2, .micros = 40}, {.depth = 0, .micros = 2}, {.depth = 0}});
  const std::string text = figures.text();
  EXPECT_NE(text.find("\nelastane_rows_total 7\n"), std::string::npos);
  EXPECT_NE(text.find("elastane_refused_total{reason=\"gap\"} 1\n"), std::string::npos);
  EXPECT_NE(text.find("elastane_corrections_tried_total 3\n"), std::string::npos);
  EXPECT_NE(text.find("elastane_step_seconds_count 2\n"), std::string::npos);
  EXPECT_NE(text.find("elastane_step_seconds_bucket{le=\"+Inf\"} 2\n"), std::string::npos);
}

TEST(Figures, AQuantileIsTheUpperEndOfItsBucket) {
  DurationHistogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), 0);
  for (int i = 0; i < 90; ++i) histogram.add(3e-6);
  for (int i = 0; i < 10; ++i) histogram.add(1.0);
  EXPECT_DOUBLE_EQ(histogram.quantile(0.5), 4e-6);
  EXPECT_GE(histogram.quantile(0.99), 1.0);
}

TEST(Activity, StreamsAreOrderedByWhereComputeWent) {
  Activity activity(3600);
  activity.add("quiet", 10, {{.depth = 1}});
  activity.add("busy", 20, {{.depth = 5}, {.depth = 7, .drift = true}});
  activity.know("idle", 4);
  const auto all = activity.most_active(10);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].id, "busy");
  EXPECT_EQ(all[0].depth, 12);
  EXPECT_EQ(all[0].map.back(), 12);
  EXPECT_TRUE(all[0].drift);
  EXPECT_EQ(all[2].id, "idle");
  EXPECT_EQ(activity.most_active(1).size(), 1U);
  EXPECT_EQ(activity.by_id("busy", 10).front().id, "idle");
  activity.forget("idle");
  EXPECT_EQ(activity.size(), 2U);
}

}  // namespace
}  // namespace elastane::serve
