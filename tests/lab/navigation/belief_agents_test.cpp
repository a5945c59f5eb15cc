// lab/navigation/belief_agents.h: agents that estimate the disturbance come home through strong wind.
#include "lab/navigation/belief_agents.h"

#include <gtest/gtest.h>

#include "tests/lab/navigation/policies.h"

namespace elastane::navigation {
namespace {

CorrectorOptions exact() {
  CorrectorOptions options;
  options.metric = {.kind = Metric::exact, .damping = 1e-3};
  options.gate.depth = 3;
  options.trust.radius = 2;
  options.trust.largest = 16;
  return options;
}

// on the benchmark's own sites, which the policies know
int arrivals(Agent& agent) {
  static const std::vector<RoutedSite> sites = random_sites(kSitesSeed, 1);
  int home = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Environment environment(sites[0].site, draw_episode(sites[0], {.mode = Mode::drifting}, seed));
    agent.begin();
    while (!environment.over()) environment.step(agent.act(environment.observe()));
    home += environment.arrived() ? 1 : 0;
  }
  return home;
}

TEST(BeliefAgents, ComeHomeThroughWind) {
  KalmanAgent kalman(shipped().selective, {}, exact(), {});
  EXPECT_GE(arrivals(kalman), 5);
}

TEST(ObserverAgent, CorrectsFromTheSecondStepOn) {
  ObserverAgent agent(shipped().selective, exact(), 0.2);
  Environment environment(a_site().site, draw_episode(a_site(), {}, 1));
  agent.begin();
  environment.step(agent.act(environment.observe()));
  EXPECT_EQ(agent.report().depth, 0);
  agent.act(environment.observe());
  EXPECT_GT(agent.report().depth, 0);
}

}  // namespace
}  // namespace elastane::navigation
