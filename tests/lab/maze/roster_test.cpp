// lab/maze/roster.cpp: the agents of the benchmark.
#include "lab/maze/roster.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/maze/benchmark.h"
#include "tests/paths.h"

namespace elastane::maze {
namespace {

const TrainedAgents& trained() {
  static const TrainedAgents loaded = load_trained_agents(ELASTANE_MODELS).value();
  return loaded;
}

int agent_index(const MazeBenchmark& benchmark, const std::string& name) {
  const auto agents = benchmark.agents();
  return static_cast<int>(std::ranges::find(agents, name, &benchmark::AgentCard::name) - agents.begin());
}

TEST(Roster, PricedConfigurationsPlayInTheGrid) {
  const AgentConfig& esm = trained().configs.at("esm");
  const std::vector<PricedAgentConfig> priced = {{0.02, 1, esm}, {0.02, 2, esm}, {0.5, 1, esm}};
  const MazeBenchmark benchmark({.configs = trained().configs, .priced = priced}, lattice_episodes(15));
  ASSERT_EQ(benchmark.grid().size(), 3u);
  EXPECT_EQ(benchmark.grid()[1].name, "esm, price 0.02, seed 2");
  EXPECT_EQ(benchmark.grid()[1].settings, benchmark.grid()[0].settings);
  benchmark::Latency latency;
  const auto agents = static_cast<int>(benchmark.agents().size());
  EXPECT_EQ(benchmark.player(agents + 2)->play(1, 4, latency),
            benchmark.player(agent_index(benchmark, "esm"))->play(1, 4, latency));
}

TEST(Roster, OnlyAgentsWithAMapMakeDiagonalMoves) {
  const auto four = make_roster(trained(), {15, 15, Moves::four}),
             eight = make_roster(trained(), {15, 15, Moves::eight});
  EXPECT_EQ(eight.size(), 1 + std::size(kConfigNames));
  EXPECT_EQ(four.size(), eight.size() + 1 + trained().networks.size());
}

TEST(Roster, EveryClaimNamesAgentsOfTheRoster) {
  const MazeBenchmark benchmark(trained(), lattice_episodes(15));
  ASSERT_EQ(benchmark.claims().size(), 4 + trained().networks.size());
  for (const benchmark::Claim& claim : benchmark.claims()) {
    EXPECT_LT(agent_index(benchmark, claim.rival), static_cast<int>(benchmark.agents().size()));
  }
}

}  // namespace
}  // namespace elastane::maze
