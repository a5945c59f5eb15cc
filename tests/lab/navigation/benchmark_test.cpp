// lab/navigation/benchmark.h: every agent plays, and plays the same again.
#include "lab/navigation/benchmark.h"
#include "tests/paths.h"

#include <gtest/gtest.h>

#include <set>

namespace elastane::navigation {
namespace {

Policies shipped() { return load_policies(ELASTANE_MODELS).value(); }

TEST(NavigationBenchmark, EveryAgentPlaysAndPlaysTheSameAgain) {
  const NavigationBenchmark benchmark(shipped(), Mode::dragged);
  std::set<std::string> names;
  for (int i = 0; i < static_cast<int>(benchmark.agents().size()); ++i) {
    const benchmark::AgentCard& card = benchmark.agents()[static_cast<std::size_t>(i)];
    EXPECT_TRUE(names.insert(card.name).second) << card.name << " is listed twice";
    benchmark::Latency latency;
    const auto player = benchmark.player(i);
    player->play(3, 4, latency);  // an earlier episode must not matter
    const auto one = player->play(3, 5, latency), other = benchmark.player(i)->play(3, 5, latency);
    EXPECT_EQ(one, other) << card.name;
    EXPECT_GT(latency.total(), 0U);
    EXPECT_EQ(one.world, benchmark.site_of(5));
    EXPECT_LT(one.kind, static_cast<int>(benchmark.kinds().size()));
    EXPECT_TRUE(one.success || one.steps == kLimit) << card.name;
    EXPECT_TRUE(std::isfinite(one.regret + one.condition + one.macs)) << card.name;
  }
}

TEST(NavigationBenchmark, ClaimsNameAgentsOfTheRoster) {
  for (const Mode mode : {Mode::dragged, Mode::moving}) {
    const NavigationBenchmark benchmark(shipped(), mode);
    std::set<std::string> names;
    for (const benchmark::AgentCard& card : benchmark.agents()) names.insert(card.name);
    for (const benchmark::Claim& claim : benchmark.claims()) {
      EXPECT_TRUE(names.contains(claim.rival)) << claim.rival;
      for (const std::string& agent : claim.agents) EXPECT_TRUE(names.contains(agent)) << agent;
    }
  }
}

TEST(NavigationBenchmark, TheShippedPolicyComesHomeWhereNothingChanges) {
  const NavigationBenchmark benchmark(shipped(), Mode::still);
  int home = 0, frozen = 0;
  while (benchmark.agents()[static_cast<std::size_t>(frozen)].name != "frozen") ++frozen;
  const auto player = benchmark.player(frozen);
  benchmark::Latency latency;
  for (int episode = 0; episode < 96; ++episode) home += player->play(11, episode, latency).success ? 1 : 0;
  EXPECT_GE(home, 91);  // .95
}

TEST(NavigationBenchmark, ReportsAFolderWithoutPolicies) {
  const auto policies = load_policies("no/such/folder");
  ASSERT_FALSE(policies);
  EXPECT_NE(policies.error().find("no/such/folder"), std::string::npos);
}

}  // namespace
}  // namespace elastane::navigation
