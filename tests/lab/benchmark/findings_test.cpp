// lab/benchmark/findings.h
#include "lab/benchmark/findings.h"

#include <gtest/gtest.h>

#include "tests/lab/benchmark/coin_runs.h"

namespace elastane::benchmark {
namespace {

TEST(Findings, AClaimIsMetWhereTheFigureReachesItAndTheTestIsSure) {
  CoinBenchmark benchmark({{"frozen", 0.4, 40}, {"sketch", 0.6, 10}, {"exact", 0.75, 10}}, 24);
  benchmark.stated = {{"≥ .10 more success", {"sketch", "exact"}, "frozen", Measure::success, 0.10},
                      {"at most half the violations", {"sketch", "exact"}, "frozen", Measure::violations, 0.5},
                      {"≥ .50 more success", {"exact"}, "frozen", Measure::success, 0.50},
                      {"of one that did not play", {"exact"}, "absent"}};
  const std::vector<Finding> found = findings(played(benchmark, 3, 192), benchmark.claims());
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].agent, "exact");
  EXPECT_TRUE(found[0].met);
  EXPECT_TRUE(found[1].met);
  EXPECT_LT(found[1].measured.ratio.interval.high, 0.5);
  EXPECT_FALSE(found[2].met);
  EXPECT_LT(found[2].p_value, 0.01);  // sure, and not enough
}

TEST(Findings, ChoosingTheBestIsPaidFor) {
  CoinBenchmark benchmark({{"frozen", 0.5}, {"a", 0.55}, {"b", 0.52}}, 24);
  benchmark.stated = {{"more success", {"a", "b"}, "frozen"}};
  const std::vector<Record> records = played(benchmark);
  const std::vector<Finding> found = findings(records, benchmark.claims());
  EXPECT_DOUBLE_EQ(found[0].p_value, std::min(1.0, 2 * found[0].measured.p));
}

}  // namespace
}  // namespace elastane::benchmark
