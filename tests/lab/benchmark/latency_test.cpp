// lab/benchmark/latency.h
#include "lab/benchmark/latency.h"

#include <gtest/gtest.h>

namespace elastane::benchmark {
namespace {

TEST(Latency, QuantilesAreRightWithinABin) {
  Latency latency;
  EXPECT_EQ(latency.quantile(0.5), 0);
  for (int i = 1; i <= 1000; ++i) latency.add(i);
  EXPECT_NEAR(latency.quantile(0.5), 500, 0.015 * 500);
  EXPECT_NEAR(latency.quantile(0.99), 990, 0.015 * 990);
  EXPECT_EQ(latency.total(), 1000U);
}

TEST(Latency, TwoHistogramsAddUp) {
  Latency a, b, both;
  for (const double micros : {1.0, 3.0}) a.add(micros), both.add(micros);
  for (const double micros : {2.0, 9.0}) b.add(micros), both.add(micros);
  a.add(b);
  EXPECT_EQ(a.counts(), both.counts());
  EXPECT_EQ(a.total(), 4U);
}

TEST(Latency, ARestoredCountReplacesTheOldOne) {
  Latency latency;
  latency.set(7, 3);
  latency.set(7, 5);
  EXPECT_EQ(latency.total(), 5U);
}

}  // namespace
}  // namespace elastane::benchmark
