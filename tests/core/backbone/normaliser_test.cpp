// Tests of elastane/core/backbone/normaliser.h: running level and scale of a channel.
#include "elastane/core/backbone/normaliser.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

TEST(Normaliser, IsThePlainMeanAndVarianceUntilDecayTakesOver) {
  Random random(1);
  ChannelStatistics statistics;
  double sum = 0, squares = 0;
  for (int n = 1; n <= 50; ++n) {
    const double x = 5 + random.normal();
    observe(0.99, x, statistics);
    sum += x;
    squares += x * x;
    const double mean = sum / n;
    EXPECT_NEAR(statistics.level, mean, 1e-12);
    EXPECT_NEAR(statistics.variance, squares / n - mean * mean, 1e-9);
  }
}

TEST(Normaliser, ForgetsAtTheRateOfItsDecay) {
  ChannelStatistics statistics;
  for (int n = 0; n < 1000; ++n) observe(0.9, 0, statistics);
  observe(0.9, 1, statistics);
  EXPECT_DOUBLE_EQ(statistics.level, 1 - 0.9);
}

TEST(Normaliser, BoundsAnOutlier) {
  ChannelStatistics statistics;
  for (int n = 0; n < 100; ++n) observe(0.99, n % 2 == 0 ? 1 : -1, statistics);
  observe(0.99, 1e9, statistics);
  const double normalised = (1e9 - statistics.level) / scale(1e-8, statistics);
  EXPECT_LT(normalised, 11);  // √((1 − a)/a) for a = 1/100 is just below ten
}

}  // namespace
}  // namespace elastane
