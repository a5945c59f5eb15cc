// lab/benchmark/run.h
#include "lab/benchmark/run.h"

#include <gtest/gtest.h>

#include "tests/lab/benchmark/coin_runs.h"

namespace elastane::benchmark {
namespace {

TEST(Run, MoreSeedsAndEpisodesKeepWhatIsThere) {
  const CoinBenchmark benchmark(kAgents);
  Journal journal(header_of(benchmark));
  const RunOptions first{.agents = {0}, .seeds = 1, .episodes = 16, .block = 8};
  const RunOptions more{.agents = {0, 1}, .seeds = 2, .episodes = 24, .block = 8};
  play_all(benchmark, first, journal);
  play_all(benchmark, more, journal);
  EXPECT_EQ(benchmark.played, 2 * 2 * 24);
  expect_same(collect(benchmark, more, journal).value(), fresh(more));
}

TEST(Run, OtherSettingsOfAnAgentAreRunAgain) {
  const CoinBenchmark benchmark(kAgents), tuned({{"frozen"}, {"exact", 0.8, 5, "λ 1e-2"}});
  Journal journal(header_of(benchmark));
  play_all(benchmark, small(), journal);
  play_all(tuned, small(), journal);
  EXPECT_EQ(tuned.played, 40);
}

TEST(Run, ThreadsDoNotChangeAnOutcome) {
  RunOptions options = small();
  options.threads = 3;
  expect_same(fresh(options), fresh(small()));
}

TEST(Run, TheGridComesAfterTheAgents) {
  const CoinBenchmark benchmark(kAgents, 12, {{"λ 1e-4"}, {"λ 1e-2"}});
  EXPECT_EQ(card_of(benchmark, 1).name, "exact");
  EXPECT_EQ(card_of(benchmark, 3).name, "λ 1e-2");
}

}  // namespace
}  // namespace elastane::benchmark
