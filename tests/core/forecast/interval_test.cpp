// elastane/core/forecast/interval.h
#include "elastane/core/forecast/interval.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

TEST(Interval, CoverageIsKeptUnderAnyDrift) {
  for (const double coverage : {0.5, 0.8, 0.9, 0.99}) {
    const IntervalOptions options{.coverage = coverage};
    Interval interval;
    Random random(4);
    double inside = 0;
    const int n = 20000;
    for (int t = 0; t < n; ++t) {
      // scale and bias that change by leaps
      const double scale = (t / 2500) % 2 == 0 ? 1 : 20, bias = (t / 3000) % 3;
      const double error = bias + scale * random.normal(), unit = interval.scale();
      inside += interval.below * unit <= error && error <= interval.above * unit ? 1 : 0;
      interval.follow(options, error, unit);
    }
    EXPECT_NEAR(inside / n, coverage, 0.02) << coverage;
  }
}

TEST(Interval, AfterFewLabelsItAimsAtMore) {
  const IntervalOptions options;
  Interval sure, unsure;
  Random random(6);
  for (int t = 0; t < 3000; ++t) {
    const double error = random.normal();
    sure.follow(options, error, 1);
    unsure.follow(options, error, 1, 24.0 / 400);
  }
  EXPECT_GT(unsure.above, 1.1 * sure.above);
  EXPECT_LT(unsure.above, 1.6 * sure.above) << "but not at everything";
}

}  // namespace
}  // namespace elastane
