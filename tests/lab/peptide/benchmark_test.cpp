// lab/peptide/benchmark.h
#include "lab/peptide/benchmark.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/peptide/roster.h"
#include "tests/paths.h"

namespace elastane::peptide {
namespace {

TEST(PeptideBenchmark, TheShippedNetworksPlayEachEpisodeTheSameAgain) {
  const auto made = make_benchmark(ELASTANE_MODELS);
  ASSERT_TRUE(made) << made.error();
  const benchmark::Benchmark& benchmark = **made;
  EXPECT_EQ(benchmark.agents().size(), roster().size());
  for (int agent = 0; agent < static_cast<int>(benchmark.agents().size()); ++agent) {
    benchmark::Latency latency;
    const auto player = benchmark.player(agent);
    player->play(21, 3, latency);  // an earlier episode must not matter
    const benchmark::Outcome once = player->play(21, 4, latency);
    const benchmark::Outcome again = benchmark.player(agent)->play(21, 4, latency);
    EXPECT_EQ(once.steps, again.steps) << benchmark.agents()[static_cast<std::size_t>(agent)].name;
    EXPECT_EQ(once.regret, again.regret);
    EXPECT_LE(once.steps, benchmark.limit());
    EXPECT_GT(latency.total(), 0U);
  }
}

TEST(PeptideBenchmark, TheBudgetGridFollowsTheAgents) {
  const auto made = make_benchmark(ELASTANE_MODELS);
  ASSERT_TRUE(made) << made.error();
  const benchmark::Benchmark& benchmark = **made;
  EXPECT_EQ(benchmark.grid().size(), 27U);
  benchmark::Latency latency;
  const int last = static_cast<int>(benchmark.agents().size() + benchmark.grid().size()) - 1;
  EXPECT_LE(benchmark.player(last)->play(21, 4, latency).steps, benchmark.limit());
}

TEST(PeptideBenchmark, EveryClaimNamesAgentsOfTheRoster) {
  const auto made = make_benchmark(ELASTANE_MODELS);
  ASSERT_TRUE(made) << made.error();
  const auto is_known = [&](const std::string& name) {
    return std::ranges::any_of((*made)->agents(), [&](const benchmark::AgentCard& card) { return card.name == name; });
  };
  EXPECT_EQ((*made)->claims().size(), 10U);
  for (const benchmark::Claim& claim : (*made)->claims()) {
    EXPECT_TRUE(is_known(claim.agents.at(0)) && is_known(claim.rival)) << claim.text;
  }
}

}  // namespace
}  // namespace elastane::peptide
