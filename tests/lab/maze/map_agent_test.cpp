// lab/maze/map_agent.cpp: an agent with a map, and the bound of its cost.
#include "lab/maze/map_agent.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/maze/agent_configs.h"
#include "lab/maze/lattice.h"
#include "tests/paths.h"

namespace elastane::maze {
namespace {

AgentConfig config(const std::string& name) {
  return load_agent_configs(std::string(ELASTANE_MODELS) + "/maze.safetensors")->at(name);
}

TEST(MapAgent, NeverCostsMoreThanItsBoundAndReachesIt) {
  MapAgent agent({15, 15, Moves::four}, config("uniform_4"));
  std::int64_t most = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Episode episode = draw_lattice({}, seed);
    Environment environment(episode);
    agent.begin(episode);
    bool first = true;  // it pays for the plan
    while (!environment.over()) {
      environment.step(agent.act(environment.observe()));
      if (!first) most = std::max(most, agent.report().total_macs());
      first = false;
    }
  }
  EXPECT_EQ(most, agent.most_macs());
}

TEST(MapAgent, RefinesOnlyAsItsGateAllows) {
  const Episode episode = draw_lattice({}, 4);
  for (const char* name : {"k0", "uniform_1"}) {
    MapAgent agent({15, 15, Moves::four}, config(name));
    Environment environment(episode);
    agent.begin(episode);
    while (!environment.over()) {
      environment.step(agent.act(environment.observe()));
      EXPECT_LE(agent.report().depth, std::string(name) == "k0" ? 0 : 1);
    }
  }
}

}  // namespace
}  // namespace elastane::maze
