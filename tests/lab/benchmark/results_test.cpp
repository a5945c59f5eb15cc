// lab/benchmark/results.h
#include "lab/benchmark/results.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lab/benchmark/coin_runs.h"

namespace elastane::benchmark {
namespace {

Record record_of(const std::string& name, std::vector<Outcome> outcomes) {
  Record record{.card = {.name = name}, .outcomes = std::move(outcomes)};
  record.latency.add(10);
  return record;
}

// two agents, four episodes, all figures by hand
std::vector<Record> by_hand() {
  return {record_of("frozen", {{.world = 0, .success = true, .steps = 40, .violations = 4},
                               {.world = 1, .success = false, .steps = 100, .violations = 6},
                               {.world = 2, .success = true, .steps = 60},
                               {.world = 3, .success = false, .steps = 100}}),
          record_of("exact", {{.world = 0, .success = true, .steps = 20, .corrections = 10, .accepted = 5},
                              {.world = 1, .success = true, .steps = 50, .condition = 0},
                              {.world = 2, .success = false, .steps = 100, .violations = 1},
                              {.world = 3, .success = true, .steps = 30}})};
}

TEST(Results, FiguresAreAsComputedByHand) {
  const std::vector<Row> rows = results(by_hand(), {});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_DOUBLE_EQ(rows[0].success.mean, 0.5);
  EXPECT_DOUBLE_EQ(rows[1].success.mean, 0.75);
  EXPECT_EQ(rows[0].joint, 2);  // with itself: all it solved
  EXPECT_DOUBLE_EQ(rows[0].steps.mean, 50);
  EXPECT_EQ(rows[1].joint, 1);
  EXPECT_DOUBLE_EQ(rows[1].steps.mean, 20);
  EXPECT_DOUBLE_EQ(rows[1].steps_all.mean, 50);
  EXPECT_DOUBLE_EQ(rows[0].violations_per_1000.mean, 10'000 / 300.0);
  EXPECT_DOUBLE_EQ(rows[1].violations_per_1000.mean, 5);
  EXPECT_DOUBLE_EQ(rows[1].accept_rate, 0.5);
  EXPECT_TRUE(std::isnan(rows[0].accept_rate));
  EXPECT_TRUE(std::isnan(rows[0].p_value));  // the reference
  EXPECT_NEAR(rows[1].p50_us, 10, 0.1);
}

TEST(Results, MicroStepsAndEnergiesAreSummedOverEpisodes) {
  std::vector<Record> records = by_hand();
  records[0].outcomes[0].energy = 4, records[0].outcomes[2].energy = 6;
  records[1].outcomes[1].energy = 5;
  records[1].outcomes[0].tallies = {{15, 10}, {5, 0}};
  records[1].outcomes[1].tallies = {{1, 6}, {49, 0}};
  records[1].outcomes[0].idle = 20;
  const std::vector<Tallied> places = {{"cell", "door"}, {"cell", "corridor"}};
  const std::vector<Row> rows = results(records, {.tallied = places});
  EXPECT_DOUBLE_EQ(rows[0].energy.mean, 2.5);
  EXPECT_DOUBLE_EQ(rows[1].energy_ratio.mean, 0.5);
  EXPECT_DOUBLE_EQ(rows[1].mean_depth, 10.0 / 200);
  EXPECT_DOUBLE_EQ(rows[1].idle_share, 20.0 / 200);
  EXPECT_DOUBLE_EQ(rows[1].spent[0].mean(), 1);
  EXPECT_EQ(rows[1].spent[1].count, (Tally{54, 0}));
}

TEST(Results, KindsAreSlicedByTimeAndBySize) {
  const CoinBenchmark benchmark({{"frozen"}, {"exact", 0.8}});
  const std::vector<Record> records = played(benchmark);
  const std::vector<Row> rows = results(records, {.seeds = 2, .kinds = benchmark.kinds()});
  ASSERT_EQ(rows[1].by_when.size(), 2U);
  EXPECT_EQ(rows[1].by_when[0].name, "early");
  EXPECT_EQ(rows[1].by_when[0].episodes, 160);
  EXPECT_EQ(rows[1].by_when[1].episodes, 80);
  ASSERT_EQ(rows[1].by_kind.size(), 3U);
  EXPECT_EQ(rows[1].by_kind[1].name, "early, large");
  const auto& when = rows[1].by_when;
  EXPECT_NEAR((2 * when[0].success + when[1].success) / 3, rows[1].success.mean, 1e-12);
}

TEST(Results, ABetterAgentIsFoundAndAnEqualOneIsNot) {
  const CoinBenchmark benchmark({{"frozen", 0.5}, {"same", 0.5}, {"better", 0.75}}, 24);
  const std::vector<Row> rows = results(played(benchmark, 3, 192), {.seeds = 3});
  EXPECT_GT(rows[1].p_value, 0.05);
  EXPECT_LT(rows[2].p_value, 0.01);
  EXPECT_LT(rows[2].success.interval.low, rows[2].success.mean);
}

TEST(Results, StepsCountWhereBothSucceedAndAllStepsEverywhere) {
  const Outcome met{.success = true, .steps = 10}, failed{.steps = 80};
  EXPECT_EQ(term_of(Measure::steps, met, failed).bottom, 0);
  EXPECT_EQ(term_of(Measure::steps, met, met).top, 10);
  EXPECT_EQ(term_of(Measure::all_steps, failed, met).top, 80);
  EXPECT_EQ(term_of(Measure::all_steps, failed, met).bottom, 1);
}

TEST(Results, WithoutTheReferenceTheFirstAgentTakesItsPlace) {
  const CoinBenchmark benchmark({{"one"}, {"two"}});
  const std::vector<Row> rows = results(played(benchmark), {.seeds = 2});
  EXPECT_TRUE(std::isnan(rows[0].p_value));
  EXPECT_FALSE(std::isnan(rows[1].p_value));
  EXPECT_TRUE(results({}, {}).empty());
}

}  // namespace
}  // namespace elastane::benchmark
