// lab/protein_loop/window_agent.h
#include "lab/protein_loop/window_agent.h"

#include <gtest/gtest.h>

#include "lab/protein_loop/roster.h"
#include "lab/protein_loop/run_episode.h"

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
  const Episode episode = draw_episode(21, 0);
  WindowAgent agent(WindowAgentOptions{});
  const EpisodeResult result = run_episode(episode, agent);
  EXPECT_EQ(result.depth, 0);
  EXPECT_DOUBLE_EQ(result.assessment.terms.total(), assess(episode.bent).terms.total());
}

TEST(WindowAgent, ACorrectorAtEveryWindowClosesTheChain) {
  WindowAgent agent(corrected({.kind = Gate::always, .depth = 8}));
  for (int n = 0; n < 3; ++n) {
    const Episode episode = draw_episode(22, n);
    const EpisodeResult result = run_episode(episode, agent);
    EXPECT_LT(result.assessment.widest_gap, 0.05) << n;
    EXPECT_LT(result.excess(), 0.01 * (assess(episode.bent).terms.total() - result.native.terms.total())) << n;
  }
}

TEST(WindowAgent, AnOracleOfTheBestDepthRefinesWhereTheDamageIs) {
  WindowAgentOptions options = corrected({.kind = Gate::always, .depth = 8});
  options.oracle_price = 1;
  WindowAgent agent(options);
  double inside = 0, beyond = 0, windows_inside = 0, windows_beyond = 0;
  for (int n = 0; n < 3; ++n) {
    run_episode(draw_episode(24, n), agent, [&](const Step& step) {
      if (step.distance == 0) inside += step.report.depth, ++windows_inside;
      if (step.distance > 10) beyond += step.report.depth, ++windows_beyond;
    });
  }
  EXPECT_GT(inside / windows_inside, 4 * beyond / windows_beyond);
}

TEST(WindowAgent, WallsAreWeakWhileAWindowIsOpen) {
  EXPECT_EQ(emphasis_at(0).wall, 1);
  EXPECT_NEAR(emphasis_at(1).wall, 0.05, 1e-12);
  EXPECT_EQ(emphasis_at(5), emphasis_at(1));
}

}  // namespace
}  // namespace elastane::protein_loop
