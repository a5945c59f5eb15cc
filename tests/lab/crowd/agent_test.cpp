// lab/crowd/agent.h: the baselines.
#include "lab/crowd/agent.h"

#include <gtest/gtest.h>

namespace elastane::crowd {
namespace {

TEST(StraightAgent, WalksTowardsTheGoalAtFullSpeed) {
  const Environment environment({});
  EXPECT_EQ(StraightAgent().act(environment.observe()), (Vec2{0, kSpeedLimit}));
}

TEST(OrcaAgent, TurnsAsideForAPersonAheadAndMoreWithASafetyMargin) {
  const Environment environment(Episode{{{{0.2, -2}, {0.2, -6}}}});
  const Vec2 plain = OrcaAgent(0, 1).act(environment.observe()), safe = OrcaAgent(0.2, 1).act(environment.observe());
  EXPECT_LT(plain.x, 0);
  EXPECT_LT(safe.x, plain.x);
  EXPECT_LE(norm(safe), kSpeedLimit + 1e-12);
}

}  // namespace
}  // namespace elastane::crowd
