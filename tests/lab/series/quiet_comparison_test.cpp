// lab/series/quiet_comparison.cpp
#include "lab/series/quiet_comparison.h"

#include <gtest/gtest.h>

namespace elastane::series {
namespace {

TEST(QuietComparison, AdaptingCostsLittleAndIntervalsCover) {
  QuietOptions options;
  options.families = {Family::load};
  options.rows = {{400, 80, 300}};
  options.horizons = {1};
  options.seeds = 1;
  const std::vector<QuietResult> results = compare_on_quiet_streams(options);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_GT(results[0].frozen, 0);
  EXPECT_LT(results[0].above_frozen(), 0.05);
  EXPECT_GT(results[0].coverage, 0.84);
}

TEST(QuietComparison, TheSummaryHasTheWorstOfAFamily) {
  const QuietRows rows{100, 10, 50};
  const std::vector<QuietResult> results = {{Family::load, 1, 1, rows, 1.0, 1.0, 0.91},
                                            {Family::load, 2, 1, rows, 1.02, 1.0, 0.87}};
  const std::string text = quiet_summary(results);
  EXPECT_NE(text.find("| load | 50 | 1 | 2 | +1.00 % | +2.00 % | 50 % | 0.870 | 0.910 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| all |"), std::string::npos);
}

}  // namespace
}  // namespace elastane::series
