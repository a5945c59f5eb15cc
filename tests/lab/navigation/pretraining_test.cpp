// lab/navigation/pretraining.h: the metric is learned once, and later episodes do not change it.
#include "lab/navigation/pretraining.h"

#include <gtest/gtest.h>

#include "tests/lab/navigation/policies.h"

namespace elastane::navigation {
namespace {

CorrectorOptions fixed() {
  CorrectorOptions options;
  options.metric = {.kind = Metric::fixed, .damping = 0.1, .warm_up = 64};
  options.gate.depth = 3;
  options.trust.radius = 0.5;
  return options;
}

TEST(Pretraining, ChangesTheAgentAndIsKeptAcrossEpisodes) {
  StaticAgent untrained(shipped().selective, fixed(), {}, 0.1), agent(shipped().selective, fixed(), {}, 0.1);
  pretrain(agent);
  const Episode episode = draw_episode(a_site(), {.mode = Mode::dragged}, 2);
  const std::vector<Vec2> first = commands(agent, episode, 60);
  EXPECT_NE(first, commands(untrained, episode, 60));
  commands(agent, draw_episode(a_site(), {.mode = Mode::dragged}, 3), 60);
  EXPECT_EQ(first, commands(agent, episode, 60));
}

}  // namespace
}  // namespace elastane::navigation
