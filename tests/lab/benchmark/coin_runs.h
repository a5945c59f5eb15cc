// Runs of the benchmark of coins, shared by the tests of journals and of runs.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "lab/benchmark/run.h"
#include "tests/lab/benchmark/coin_benchmark.h"

namespace elastane::benchmark {

inline const std::vector<CoinAgent> kAgents = {{"frozen"}, {"exact", 0.8, 5, "λ 1e-3"}};

inline JournalHeader header_of(const CoinBenchmark& benchmark) {
  return {.benchmark = benchmark.name(), .weights = benchmark.fingerprint(), .version = "1", .threads = 1};
}

inline RunOptions small() { return {.agents = {0, 1}, .seeds = 2, .episodes = 20, .block = 8}; }

inline void play_all(const CoinBenchmark& benchmark, const RunOptions& options, Journal& journal) {
  play(
      benchmark, options, journal, [] { return false; }, [](const Progress&) {})
      .value();
}

inline std::vector<Record> fresh(const RunOptions& options) {
  const CoinBenchmark benchmark(kAgents);
  Journal journal(header_of(benchmark));
  play_all(benchmark, options, journal);
  return collect(benchmark, options, journal).value();
}

inline void expect_same(const std::vector<Record>& a, const std::vector<Record>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].outcomes, b[i].outcomes);
    EXPECT_EQ(a[i].latency.counts(), b[i].latency.counts());
    EXPECT_EQ(a[i].latency.total(), b[i].latency.total());
    EXPECT_EQ(a[i].latency.stages(), b[i].latency.stages());
  }
}

// all agents
inline std::vector<Record> played(const CoinBenchmark& benchmark, int seeds = 2, int episodes = 120) {
  RunOptions options{.seeds = seeds, .episodes = episodes};
  for (int i = 0; i < static_cast<int>(benchmark.agents().size()); ++i) options.agents.push_back(i);
  Journal journal(JournalHeader{});
  play(
      benchmark, options, journal, [] { return false; }, [](const Progress&) {})
      .value();
  return collect(benchmark, options, journal).value();
}

}  // namespace elastane::benchmark
