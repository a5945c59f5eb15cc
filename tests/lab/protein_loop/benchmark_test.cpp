// lab/protein_loop/benchmark.h
#include "lab/protein_loop/benchmark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/paths.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopBenchmark, EveryClaimNamesAgentsOfTheRoster) {
  const auto made = make_benchmark(ELASTANE_MODELS);
  ASSERT_TRUE(made) << made.error();
  const auto is_known = [&](const std::string& name) {
    return std::ranges::any_of((*made)->agents(), [&](const benchmark::AgentCard& card) { return card.name == name; });
  };
  EXPECT_EQ((*made)->claims().size(), 4U);
  for (const benchmark::Claim& claim : (*made)->claims()) {
    EXPECT_TRUE(is_known(claim.agents.at(0)) && is_known(claim.rival)) << claim.text;
  }
}

TEST(LoopBenchmark, AnEpisodeIsPlayedTheSameAgainAndEveryWindowIsTallied) {
  const auto made = make_benchmark(ELASTANE_MODELS);
  ASSERT_TRUE(made) << made.error();
  const auto esm = std::ranges::find((*made)->agents(), "esm", &benchmark::AgentCard::name) - (*made)->agents().begin();
  benchmark::Latency latency;
  const auto player = (*made)->player(static_cast<int>(esm));
  const benchmark::Outcome once = player->play(21, 1, latency), again = player->play(21, 1, latency);
  EXPECT_EQ(once, again);
  ASSERT_EQ(once.tallies.size(), (*made)->tallied().size());
  std::size_t at = 0;
  for (const std::size_t places : {4U, 5U, 5U, 5U}) {
    int steps = 0;
    for (std::size_t n = 0; n < places; ++n) steps += once.tallies[at++].steps;
    EXPECT_EQ(steps, once.steps);
  }
}

TEST(LoopBenchmark, TheGateLeavesMostWindowsAlone) {
  const auto networks = load_networks(ELASTANE_MODELS);
  ASSERT_TRUE(networks) << networks.error();
  const std::vector<double> depths = depths_of_gate(*networks);
  EXPECT_EQ(depths.size(), static_cast<std::size_t>(kMaxDepth) + 1);
  EXPECT_GT(depths[0], 0.5 * std::accumulate(depths.begin(), depths.end(), 0.0));
}

}  // namespace
}  // namespace elastane::protein_loop
