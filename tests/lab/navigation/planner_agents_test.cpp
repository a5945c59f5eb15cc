// lab/navigation/planner_agents.h: the cost of a waypoint against differences, and plans that lower it.
#include "lab/navigation/planner_agents.h"

#include <gtest/gtest.h>

#include <array>

#include "elastane/core/base/random.h"
#include "tests/lab/navigation/policies.h"

namespace elastane::navigation {
namespace {

TEST(WaypointCost, GradientsAreDerivatives) {
  const Environment environment(a_site().site, draw_episode(a_site(), {}, 1));
  const Observation observation = environment.observe();
  ObstacleMap obstacles;
  obstacles.observe(observation);
  const std::array<Vec2, 3> proposed = {Vec2{0.02, 0}, Vec2{0.04, 0.01}, Vec2{0.06, 0.01}};
  WaypointCost cost({.goal = 0.5});
  cost.begin(obstacles, observation.goal, proposed);
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    std::array<double, 2> x = {random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)}, u = {0.02, 0.01};
    std::array<double, 2> dx = {}, du = {};
    double xx[4] = {}, ux[4] = {}, uu[4] = {};
    cost.expand(1, x, u, {dx, du, {xx, 2, 2}, {ux, 2, 2}, {uu, 2, 2}});
    for (std::size_t i = 0; i < 2; ++i) {
      constexpr double e = 1e-7;
      auto more = u, less = u;
      more[i] += e, less[i] -= e;
      EXPECT_NEAR(du[i], (cost.value(1, x, more) - cost.value(1, x, less)) / (2 * e), 1e-4 * (1 + std::fabs(du[i])));
    }
  }
}

TEST(SweepAgent, NeverRaisesTheCost) {
  SweepAgent agent(shipped().selective, {.horizon = 3, .sweeps = 5}, {.leave = 0.2});
  Environment environment(a_site().site, draw_episode(a_site(), {.mode = Mode::dragged}, 2));
  agent.begin();
  while (!environment.over()) {
    environment.step(agent.act(environment.observe()));
    EXPECT_LE(agent.report().loss_after, agent.report().loss_before);
  }
}

TEST(FlowAgent, StaysWithinTheSpeedLimit) {
  FlowAgent agent(shipped().selective, {});
  const Episode episode = draw_episode(a_site(), {.mode = Mode::dragged}, 2);
  for (const Vec2 command : commands(agent, episode, 60)) EXPECT_LE(norm(command), kSpeed + 1e-12);
}

}  // namespace
}  // namespace elastane::navigation
