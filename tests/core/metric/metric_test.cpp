// Tests of elastane/core/metric/metric.cpp.
#include "elastane/core/metric/metric.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

TEST(Metrics, AreKnownByTheirNames) {
  for (int i = 0; i < kMetrics; ++i) {
    const auto metric = static_cast<Metric>(i);
    EXPECT_EQ(parse_metric(name(metric)).value(), metric);
  }
  const auto unknown = parse_metric("riemann");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("riemann"), std::string::npos);
  EXPECT_NE(unknown.error().find("conjugate_gradient"), std::string::npos);
}

TEST(ChooseMetric, IsExactWhileTheSmallerSpaceIsSmall) {
  EXPECT_EQ(choose_metric(1000, 64), Metric::exact);
  EXPECT_EQ(choose_metric(64, 1000), Metric::exact);
  EXPECT_EQ(choose_metric(65, 65), Metric::conjugate_gradient);
}

}  // namespace
}  // namespace elastane
