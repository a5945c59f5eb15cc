// lab/navigation/policy_agents.h: corrections lower the cost of a path, and agents forget between episodes.
#include "lab/navigation/policy_agents.h"

#include <gtest/gtest.h>

#include "tests/lab/navigation/policies.h"

namespace elastane::navigation {
namespace {

CorrectorOptions exact() {
  CorrectorOptions options;
  options.metric = {.kind = Metric::exact, .damping = 0.1};
  options.gate.depth = 3;
  options.trust.radius = 0.5;
  options.trust.largest = 4;
  return options;
}

Episode with_crate(std::uint64_t seed) { return draw_episode(a_site(), {.mode = Mode::dragged}, seed); }

TEST(FrozenAgent, HasNoCorrectionAndPaysForTheNetwork) {
  FrozenAgent agent(shipped().selective);
  commands(agent, with_crate(1), 3);
  EXPECT_EQ(agent.report().depth, 0);
  EXPECT_GT(agent.report().total_macs(), 0);
}

TEST(LatentAgent, NeverKeepsAWorsePath) {
  LatentAgent agent(shipped().selective, exact(), {}, 0.1);
  Environment environment(a_site().site, with_crate(2));
  agent.begin();
  int improved = 0;
  while (!environment.over()) {
    environment.step(agent.act(environment.observe()));
    EXPECT_LE(agent.report().loss_after, agent.report().loss_before);
    improved += agent.report().loss_after < agent.report().loss_before ? 1 : 0;
  }
  EXPECT_GT(improved, 10);
}

TEST(PolicyAgents, AnEpisodeDoesNotDependOnTheOneBefore) {
  const auto expect_same = [](Agent& fresh, Agent& used) {
    commands(used, with_crate(3), 40);
    EXPECT_EQ(commands(fresh, with_crate(4), 40), commands(used, with_crate(4), 40));
  };
  LatentAgent latent(shipped().selective, exact(), {}, 0.1), used_latent(shipped().selective, exact(), {}, 0.1);
  expect_same(latent, used_latent);
  PathAgent path(shipped().selective, exact(), {}), used_path(shipped().selective, exact(), {});
  expect_same(path, used_path);
  LatentAndPathAgent both(shipped().selective, exact(), 0.1, exact(), {}),
      used_both(shipped().selective, exact(), 0.1, exact(), {});
  expect_same(both, used_both);
}

TEST(FilteredAgent, StaysWithinTheSpeedLimit) {
  FilteredAgent agent(shipped().selective, {});
  for (const Vec2 command : commands(agent, with_crate(5), 60)) EXPECT_LE(norm(command), kSpeed + 1e-12);
}

}  // namespace
}  // namespace elastane::navigation
