// lab/protein_loop/run_episode.h
#include "lab/protein_loop/run_episode.h"

#include <gtest/gtest.h>

#include "lab/protein_loop/roster.h"

namespace elastane::protein_loop {
namespace {

WindowAgentOptions corrected(const GateOptions& gate) {
  WindowAgentOptions options;
  options.corrector = window_corrector();
  options.corrector->gate = gate;
  options.damping = window_damping();
  return options;
}

TEST(RunLoopEpisode, APassIsTheSameEveryTime) {
  const Episode episode = draw_episode(23, 1);
  WindowAgent agent(corrected({.kind = Gate::gain, .depth = 8, .price = 3}));
  const EpisodeResult first = run_episode(episode, agent), again = run_episode(episode, agent);
  EXPECT_EQ(first.assessment.terms.total(), again.assessment.terms.total());
  EXPECT_EQ(first.macs, again.macs);
}

TEST(RunLoopEpisode, TheOutcomeCountsWindows) {
  const Episode episode = draw_episode(23, 2);
  WindowAgent agent(WindowAgentOptions{});
  int steps = 0;
  const EpisodeResult result = run_episode(episode, agent, [&](const Step& step) { EXPECT_EQ(step.step, steps++); });
  EXPECT_EQ(steps, episode.windows());
  const benchmark::Outcome outcome = outcome_of(result);
  EXPECT_FALSE(outcome.success);
  EXPECT_EQ(outcome.idle, steps);
  EXPECT_EQ(outcome.energy, result.excess());
  EXPECT_GT(outcome.energy, 0);
}

}  // namespace
}  // namespace elastane::protein_loop
