// lab/maze/recording.cpp: episodes as a page shows them.
#include "lab/maze/recording.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"
#include "tests/paths.h"

namespace elastane::maze {
namespace {

const TrainedAgents& trained() {
  static const TrainedAgents loaded = load_trained_agents(ELASTANE_MODELS).value();
  return loaded;
}

TEST(MazeRecording, IsWholeAndTheSameAgain) {
  const MazeBenchmark benchmark(trained(), lattice_episodes(15));
  const auto one = record(benchmark, {.agents = {"k0", "esm", "replanner"}}).value();
  EXPECT_TRUE(one.validate()) << one.validate().error();
  EXPECT_EQ(one.json(), record(benchmark, {.agents = {"k0", "esm", "replanner"}}).value().json());
  const auto wrong = record(benchmark, {.agents = {"unknown"}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().find("[agents] unknown: expected some of replanner, esm"), std::string::npos);
}

Grid drawn_by(std::uint64_t seed, int width, int height) {
  Random random(seed);
  Grid map(width, height, false);
  for (int i = 0; i < map.cells(); ++i) map.set_wall(map.cell(i), random.uniform() < 0.4);
  return map;
}

TEST(MapRecording, IsWholeAndTheSameAgainAndWithoutDoorsWhereNothingMayChange) {
  const Grid map = drawn_by(3, 16, 12);
  const AgentConfigs configs = load_agent_configs(std::string(ELASTANE_MODELS) + "/maze.safetensors").value();
  const auto recorded = [&](bool unchanging, int episode) {
    const MazeBenchmark benchmark({.configs = configs},
                                  map_episodes("map", map, {choose_scenario(map).value()}, {.unchanging = unchanging}));
    return record(benchmark, {.episode = episode, .agents = {}}).value();
  };
  const auto one = recorded(false, 0), unchanging = recorded(true, 0);
  EXPECT_TRUE(one.validate()) << one.validate().error();
  EXPECT_EQ(one.json(), recorded(false, 0).json());
  EXPECT_NE(one.json(), recorded(false, 1).json());
  EXPECT_FALSE(one.doors.empty());
  EXPECT_TRUE(unchanging.doors.empty());
  EXPECT_EQ(unchanging.change_at, -1);
  ASSERT_EQ(unchanging.agents.size(), 3U);
  EXPECT_EQ(unchanging.agents.back().caption.name, "replanner");
  EXPECT_TRUE(unchanging.agents.back().caption.success);
}

}  // namespace
}  // namespace elastane::maze
