// The shipped policies, and a step that all agents can be tried on.
#pragma once

#include "lab/navigation/benchmark.h"
#include "tests/paths.h"

namespace elastane::navigation {

inline const Policies& shipped() {
  static const Policies policies = load_policies(ELASTANE_MODELS).value();
  return policies;
}

inline const RoutedSite& a_site() {
  static const RoutedSite site(random_site(1001));
  return site;
}

// the commands of an agent over the first steps of an episode
inline std::vector<Vec2> commands(Agent& agent, const Episode& episode, int steps) {
  Environment environment(a_site().site, episode);
  std::vector<Vec2> all;
  agent.begin();
  for (int t = 0; t < steps; ++t) {
    all.push_back(agent.act(environment.observe()));
    environment.step(all.back());
  }
  return all;
}

}  // namespace elastane::navigation
