// lab/maze/oracle_agents.cpp: upper bounds.
#include "lab/maze/oracle_agents.h"

#include <gtest/gtest.h>

#include "lab/maze/agent_configs.h"
#include "tests/paths.h"

namespace elastane::maze {
namespace {

AgentConfig esm() { return load_agent_configs(std::string(ELASTANE_MODELS) + "/maze.safetensors")->at("esm"); }

TEST(OracleDepthAgent, CountsTheDepthThatItTakesAndNeverRefinesAtAProhibitivePrice) {
  const std::vector<double> costs = depth_costs({15, 15, Moves::four}, esm());
  for (const double price : {0.005, 1e6}) {
    OracleDepthAgent agent({15, 15, Moves::four}, esm(), price);
    int refined = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Episode episode = draw_lattice({}, seed);
      Environment environment(episode);
      agent.begin(episode);
      while (!environment.over()) {
        agent.watch(environment);
        environment.step(agent.act(environment.observe()));
        const StepReport& report = agent.report();
        EXPECT_EQ(report.macs[static_cast<int>(Stage::solve)],
                  static_cast<std::int64_t>(costs[static_cast<std::size_t>(report.depth)] * kCostUnit));
        refined += report.depth;
      }
    }
    EXPECT_EQ(refined > 0, price < 1);
  }
}

TEST(ReplannerAgent, DoesWhatTheExpertDoes) {
  const Episode episode = draw_lattice({}, 7);
  ReplannerAgent agent;
  Expert expert;
  Environment environment(episode);
  agent.begin(episode);
  expert.begin(episode);
  while (!environment.over()) {
    expert.observe(environment.observe());
    const int move = agent.act(environment.observe());
    ASSERT_EQ(move, expert.act());
    environment.step(move);
  }
}

}  // namespace
}  // namespace elastane::maze
