// Tests of elastane/core/base/random.h.
#include "elastane/core/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace elastane {
namespace {

TEST(Random, DependsOnSeedAndCounterAlone) {
  Random random(3);
  for (int i = 0; i < 10; ++i) random.bits();
  const std::uint64_t eleventh = random.bits();
  EXPECT_EQ(Random(3, 10).bits(), eleventh);
  EXPECT_NE(Random(4, 10).bits(), eleventh);
}

TEST(Random, DoesNotRepeatItself) {
  Random random(1);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10000; ++i) EXPECT_TRUE(seen.insert(random.bits()).second) << i;
}

TEST(Random, StaysInItsRange) {
  Random random(2);
  for (int i = 0; i < 10000; ++i) {
    const double u = random.uniform(-2, 3);
    ASSERT_TRUE(u >= -2 && u < 3) << u;
    const int n = random.below(7);
    ASSERT_TRUE(n >= 0 && n < 7) << n;
    ASSERT_EQ(std::fabs(random.sign()), 1.0);
  }
}

TEST(Random, NormalsHaveMeanZeroAndVarianceOne) {
  Random random(5);
  constexpr int kDraws = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 5 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0 / kDraws));
}

}  // namespace
}  // namespace elastane
