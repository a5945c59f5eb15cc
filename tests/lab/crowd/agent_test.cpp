// lab/crowd/agent.h: the baselines.
#include "lab/crowd/agent.h"

#include <gtest/gtest.h>

namespace elastane::crowd {
namespace {

TEST(StraightAgent, WalksTowardsTheGoalAtFullSpeed) {
  const Environment environment({});
  EXPECT_EQ(StraightAgent().act(environment.observe()), (Vec2{0, kSpeedLimit}));
}

TEST(OrcaAgent, AvoidsAPersonAheadByTheSafetyMargin) {
  const Episode episode{{{{0.2, -2}, {0.2, -6}}}};
  Environment environment(episode);
  OrcaAgent orca(0.2, 1);
  while (!environment.over()) environment.step(orca.act(environment.observe()));
  EXPECT_EQ(environment.ending(), Ending::reached);
  EXPECT_GT(environment.nearest(), 0);
}

}  // namespace
}  // namespace elastane::crowd
