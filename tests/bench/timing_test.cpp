// bench/timing.cpp: quantiles, and which calls of a run count.
#include "bench/timing.h"

#include <gtest/gtest.h>

#include <numeric>

namespace elastane::bench {
namespace {

std::vector<double> counted(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

TEST(Quantiles, AreValuesOfTheList) {
  std::vector<double> values = counted(1000);
  std::reverse(values.begin(), values.end());
  const Quantiles q = quantiles(values);
  EXPECT_EQ(q.p50, 500);
  EXPECT_EQ(q.p90, 900);
  EXPECT_EQ(q.p99, 990);
  EXPECT_EQ(q.p999, 999);
  EXPECT_EQ(q.max, 999);
}

TEST(Quantiles, OfOneValueAreThatValue) {
  const Quantiles q = quantiles({3});
  EXPECT_EQ(q.p50, 3);
  EXPECT_EQ(q.p999, 3);
  EXPECT_EQ(q.max, 3);
  EXPECT_EQ(quantile(std::vector{3}, 1.0), 3);
}

TEST(Timed, LeavesOutTheFirstTenthButKeepsTheFirstCall) {
  std::vector<double> times(100, 1.0);
  std::fill_n(times.begin(), 10, 50.0);
  const Timed t = timed(times);
  EXPECT_EQ(t.first, 50);
  EXPECT_EQ(t.time.max, 1);
}

TEST(Timed, LeavesOutAThousandCallsAtMost) {
  const Timed t = timed(counted(100'000));
  EXPECT_EQ(t.time.p50, 1000 + 99'000 / 2);
}

TEST(Timed, OfNothingIsZero) { EXPECT_EQ(timed({}).first, 0); }

}  // namespace
}  // namespace elastane::bench
