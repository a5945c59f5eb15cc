// lab/benchmark/report.h
#include "lab/benchmark/report.h"

#include <gtest/gtest.h>

#include "tests/lab/benchmark/coin_runs.h"

namespace elastane::benchmark {
namespace {

std::vector<Row> rows() {
  const CoinBenchmark benchmark({{"frozen", 0.4, 40}, {"exact", 0.75, 10, "λ 1e-3"}}, 16);
  return results(played(benchmark, 1, 48), {.kinds = benchmark.kinds()});
}

TEST(Report, PublishedFiguresHaveTheirOwnRow) {
  const std::string text = outcome_table(rows());
  EXPECT_NE(text.find("*published*"), std::string::npos) << text;
  EXPECT_NE(text.find("*0.50*"), std::string::npos) << text;
}

TEST(Report, CostsNameTheSettings) { EXPECT_NE(cost_table(rows()).find("λ 1e-3"), std::string::npos); }

TEST(Report, ChangesAreListedByTimeAndSize) {
  const std::string text = change_table(rows());
  EXPECT_NE(text.find("success, early"), std::string::npos) << text;
  EXPECT_NE(text.find("steps, large"), std::string::npos) << text;
}

TEST(Report, TablesWithoutContentAreEmpty) {
  EXPECT_EQ(claim_table({}), "");
  EXPECT_EQ(depth_tables({}), "");
  EXPECT_EQ(change_table({}), "");
  EXPECT_EQ(stage_table(rows()), "");  // coins take no time
}

}  // namespace
}  // namespace elastane::benchmark
