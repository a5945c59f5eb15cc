// Tests of elastane/core/allocation/quantile_threshold.h: a wanted share passes, on scores like those of training and
// on others.
#include "elastane/core/allocation/quantile_threshold.h"

#include <gtest/gtest.h>

#include <vector>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

TEST(ThresholdForShare, LiesBetweenQuantiles) {
  const std::vector<double> quantiles = {0, 1, 3};  // lowest, median, highest
  EXPECT_DOUBLE_EQ(threshold_for_share(quantiles, 0.5), 1);
  EXPECT_DOUBLE_EQ(threshold_for_share(quantiles, 0.25), 2);
  EXPECT_DOUBLE_EQ(threshold_for_share(quantiles, 0.75), 0.5);
  EXPECT_EQ(threshold_for_share(quantiles, 0), INFINITY);
  EXPECT_EQ(threshold_for_share(quantiles, 1), -INFINITY);
  EXPECT_EQ(threshold_for_share(quantiles, NAN), INFINITY);
}

TEST(ThresholdForShare, FallsAsTheShareGrows) {
  const std::vector<double> quantiles = {-3, -2, 0, 0, 5, 9};
  double before = INFINITY;
  for (double share = 0.01; share < 1; share += 0.01) {
    const double threshold = threshold_for_share(quantiles, share);
    EXPECT_LE(threshold, before);
    before = threshold;
  }
}

TEST(QuantileThreshold, FollowsItsShareOnScoresUnlikeThoseOfTraining) {
  for (const double share : {0.1, 0.5}) {
    const QuantileThreshold rule = QuantileThreshold::at(-100, share, 2);
    double threshold = rule.start, passed = 0;
    Random random(1);
    constexpr int kScores = 40'000;
    for (int i = 0; i < kScores; ++i) {
      const bool passes = random.normal() > threshold;
      threshold = rule.followed(threshold, passes);
      if (i >= kScores / 2) passed += passes ? 2.0 / kScores : 0;
    }
    EXPECT_NEAR(passed, share, 0.01);
  }
}

TEST(QuantileThreshold, StaysFinite) {
  const QuantileThreshold rule = QuantileThreshold::at(INFINITY, 0.5, 0);
  EXPECT_EQ(rule.start, QuantileThreshold::kMost);
  EXPECT_EQ(rule.followed(QuantileThreshold::kMost, true), QuantileThreshold::kMost);
  EXPECT_EQ(rule.followed(NAN, true), 0);
  EXPECT_GT(rule.stride, 0);
}

}  // namespace
}  // namespace elastane
