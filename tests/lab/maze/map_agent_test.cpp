// lab/maze/map_agent.cpp: an agent with a map, and the bound of its cost.
#include "lab/maze/map_agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "lab/maze/agent_configs.h"
#include "lab/maze/lattice.h"
#include "tests/paths.h"

namespace elastane::maze {
namespace {

AgentConfig config(const std::string& name) {
  return load_agent_configs(std::string(ELASTANE_MODELS) + "/maze.safetensors")->at(name);
}

TEST(MapAgent, NeverCostsMoreThanItsBoundAndComesCloseToIt) {
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
  EXPECT_LE(most, agent.most_macs());
  EXPECT_GE(most, agent.most_macs() - Head::macs(4));  // moves into walls are not scored
}

// what it knows of its map at rest is what a look at the whole map shows, and costs nothing that grows with the map
TEST(MapAgent, KnowsTheResidualOfItsMapWithoutLookingAtAllOfIt) {
  for (const char* name : {"esm", "k0", "uniform_1"}) {
    std::int64_t at_rest[2] = {};
    for (const int size : {15, 45}) {
      MapAgent agent({size, size, Moves::four}, config(name));
      const Episode episode = draw_lattice({.size = size}, 3);
      Environment environment(episode);
      agent.begin(episode);
      bool first = true;
      std::vector<double> y(static_cast<std::size_t>(agent.map().outputs()));
      while (!environment.over()) {
        const Observation observation = environment.observe();
        agent.observe(observation);
        agent.map().output(std::as_const(agent).map().z(), y);
        double squares = 0;
        for (std::size_t i = 0; i + kViewCells < y.size(); ++i) squares += y[i] * y[i];
        ASSERT_NEAR(std::as_const(agent).map().residual_squares(), squares, 1e-12 * squares);
        ASSERT_TRUE(std::as_const(agent).map().is_stocked());
        agent.refine();
        environment.step(agent.decide(observation));
        std::int64_t& least = at_rest[size == 15 ? 0 : 1];
        if (!first && agent.report().depth == 0)
          least = least == 0 ? agent.report().total_macs() : std::min(least, agent.report().total_macs());
        first = false;
      }
    }
    if (std::string(name) != "uniform_1") {
      EXPECT_NEAR(at_rest[0], at_rest[1], 20) << name;  // cells that were never settled are counted
    }
  }
}

// where the gate grants a step, the map is settled by it, for less than a look at the whole map
TEST(MapAgent, RepairsItsMapWhereItHasChanged) {
  int repaired = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    MapAgent agent({45, 45, Moves::four}, config("esm"));
    const Episode episode = draw_lattice({.size = 45}, seed);
    Environment environment(episode);
    agent.begin(episode);
    while (!environment.over()) {
      environment.step(agent.act(environment.observe()));
      const StepReport& report = agent.report();
      EXPECT_LE(report.loss_after, report.loss_before);
      if (report.accepted == 0) continue;
      ++repaired;
      EXPECT_EQ(report.depth, 1);
      EXPECT_EQ(report.loss_after, 0);
      EXPECT_EQ(std::as_const(agent).map().unsettled(), 0);
      EXPECT_TRUE(std::as_const(agent).map().is_stocked());
    }
  }
  EXPECT_GT(repaired, 8);
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
