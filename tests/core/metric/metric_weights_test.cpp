// Tests of elastane/core/metric/metric_weights.h.
#include "elastane/core/metric/metric_weights.h"

#include <gtest/gtest.h>

#include <limits>

namespace elastane {
namespace {

MetricWeights weights() { return {.diagonal = {1, 2, 3}, .factor = std::vector<double>(2 * kDoubleLane, 0.5)}; }

TEST(MetricWeights, AreAViewOfDiagonalAndFactor) {
  const MetricWeights of = weights();
  EXPECT_TRUE(validate(of));
  EXPECT_EQ(of.latents(), 3);
  EXPECT_EQ(of.rank(), 2);
  EXPECT_EQ(of.view().diagonal, of.diagonal.data());
  EXPECT_EQ(of.view().factor.count, 2);
  EXPECT_EQ(of.view().factor.stride, kDoubleLane);
}

TEST(MetricWeights, AreRefusedIfGWouldNotBePositiveDefinite) {
  MetricWeights empty, short_row = weights(), negative = weights(), infinite = weights();
  short_row.factor.pop_back();
  negative.diagonal[1] = 0;
  infinite.factor[3] = std::numeric_limits<double>::infinity();
  for (const MetricWeights* bad : {&empty, &short_row, &negative, &infinite}) EXPECT_FALSE(validate(*bad));
}

}  // namespace
}  // namespace elastane
