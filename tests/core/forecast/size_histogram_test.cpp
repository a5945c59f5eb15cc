// elastane/core/forecast/size_histogram.cpp
#include "elastane/core/forecast/size_histogram.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

TEST(SizeHistogram, SharesAreThoseOfTheSizes) {
  SizeHistogram histogram;
  Random random(1);
  for (int i = 0; i < 20'000; ++i) histogram.add(std::fabs(random.normal()));
  for (const double size : {0.1, 0.5, 1.0, 2.0}) {
    EXPECT_NEAR(histogram.share_above(size) / std::erfc(size / std::sqrt(2.0)), 1, 0.15) << size;
  }
}

TEST(SizeHistogram, SharesFallWithTheSizeAndFollowAPowerLawBeyondIt) {
  SizeHistogram histogram;
  Random random(2);
  for (int i = 0; i < 20'000; ++i) histogram.add(std::pow(random.uniform() + 1e-12, -1.0 / 3));  // p(s) = s⁻³
  double before = 1;
  for (double size = 0.01; size < 1e6; size *= 1.07) {
    const double share = histogram.share_above(size);
    EXPECT_LE(share, before + 1e-12);
    EXPECT_GT(share, 0);
    before = share;
  }
  EXPECT_NEAR(std::log10(histogram.share_above(30)), -4.4, 0.8);
}

TEST(SizeHistogram, WithoutSizesNothingIsUnusual) { EXPECT_EQ(SizeHistogram().share_above(1e9), 1); }

}  // namespace
}  // namespace elastane
