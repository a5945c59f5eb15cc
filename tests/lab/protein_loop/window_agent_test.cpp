// lab/protein_loop/window_agent.h, play.h, observation.h, lesson.h
#include "lab/protein_loop/window_agent.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/protein_loop/example.h"
#include "lab/protein_loop/run_episode.h"
#include "lab/protein_loop/roster.h"
#include "tests/paths.h"

namespace elastane::protein_loop {
namespace {

WindowAgentOptions corrected(const GateOptions& gate) {
  WindowAgentOptions options;
  options.corrector = window_corrector();
  options.corrector->gate = gate;
  options.damping = window_damping();
  return options;
}

TEST(WindowAgent, WithoutNetworkAndCorrectorTheProteinStaysAsItIs) {
  const Episode damage = draw_episode(21, 0);
  WindowAgent agent(WindowAgentOptions{});
  const EpisodeResult pass = run_episode(damage, agent);
  EXPECT_EQ(pass.depth, 0);
  EXPECT_DOUBLE_EQ(pass.verdict.terms.total(), assess(damage.bent).terms.total());
}

TEST(WindowAgent, ACorrectorAtEveryWindowClosesTheChain) {
  WindowAgent agent(corrected({.kind = Gate::always, .depth = 8}));
  for (int n = 0; n < 3; ++n) {
    const Episode damage = draw_episode(22, n);
    const EpisodeResult pass = run_episode(damage, agent);
    EXPECT_LT(pass.verdict.widest_gap, 0.05) << n;
    EXPECT_LT(pass.excess(), 0.01 * (assess(damage.bent).terms.total() - pass.native.terms.total())) << n;
  }
}

TEST(WindowAgent, ThePassIsTheSameEveryTime) {
  const Episode damage = draw_episode(23, 1);
  WindowAgent agent(corrected({.kind = Gate::gain, .depth = 8, .price = 3}));
  const EpisodeResult first = run_episode(damage, agent), again = run_episode(damage, agent);
  EXPECT_EQ(first.verdict.terms.total(), again.verdict.terms.total());
  EXPECT_EQ(first.macs, again.macs);
}

TEST(WindowAgent, ABestDepthThatIsKnownGoesWhereTheDamageIs) {
  WindowAgentOptions options = corrected({.kind = Gate::always, .depth = 8});
  options.oracle_price = 1;
  WindowAgent agent(options);
  double inside = 0, beyond = 0, windows_inside = 0, windows_beyond = 0;
  for (int n = 0; n < 3; ++n) {
    run_episode(draw_episode(24, n), agent, [&](const Step& window) {
      if (window.distance == 0) inside += window.did.depth, ++windows_inside;
      if (window.distance > 10) beyond += window.did.depth, ++windows_beyond;
    });
  }
  EXPECT_GT(inside / windows_inside, 4 * beyond / windows_beyond);
}

TEST(Agents, TheShippedEsmClosesTheChainAndLeavesMostWindowsAlone) {
  const auto networks = load_networks(ELASTANE_MODELS);
  ASSERT_TRUE(networks) << networks.error();
  const std::vector<RosterEntry> all = roster(*networks);
  const auto esm = std::ranges::find(all, "esm", &RosterEntry::name);
  ASSERT_NE(esm, all.end());
  const auto agent = make_agent(*esm, *networks);
  const Episode damage = draw_episode(25, 0);
  const EpisodeResult pass = run_episode(damage, *agent);
  EXPECT_LT(pass.excess(), 0.01 * (assess(damage.bent).terms.total() - pass.native.terms.total()));
  EXPECT_LT(pass.refined, pass.steps / 2);
}

TEST(Lesson, EqualSeedsTeachTheSame) {
  const ExampleOptions options{.residues = 60};
  const Example a = make_example(3, 0, nullptr, options), b = make_example(3, 0, nullptr, options), c = make_example(3, 1, nullptr, options);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.target, b.target);
  EXPECT_NE(a.x, c.x);
  for (const float value : a.x) ASSERT_LE(std::fabs(value), 10.0F);
}

TEST(DepthExamples, HaveTheLossOfEveryDepthAndWhatTheGateSaw) {
  WindowAgent agent(corrected({.kind = Gate::random, .depth = kMaxDepth}));
  const DepthExamples lessons = gather_depth_examples(agent, kMaxDepth, 1, 1);
  EXPECT_EQ(lessons.depths(), kMaxDepth + 1);
  EXPECT_EQ(lessons.feature_count(), kOwnGateFeatures + LoopLatent::kGateFeatures);
  EXPECT_GT(lessons.size(), 40U);
  EXPECT_EQ(lessons.costs[0], 0);
  EXPECT_GT(lessons.costs[8], lessons.costs[1]);
}

}  // namespace
}  // namespace elastane::protein_loop
