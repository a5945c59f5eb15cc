// lab/maze/benchmark.cpp: all agents on the same mazes, scored the same.
#include "lab/maze/benchmark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/paths.h"

namespace elastane::maze {
namespace {

const TrainedAgents& trained() {
  static const TrainedAgents loaded = load_trained_agents(ELASTANE_MODELS).value();
  return loaded;
}

int agent_index(const MazeBenchmark& benchmark, const std::string& name) {
  const auto agents = benchmark.agents();
  return static_cast<int>(std::ranges::find(agents, name, &benchmark::AgentCard::name) - agents.begin());
}

TEST(MazeBenchmark, PlaysTheSameEpisodeAlikeWhateverWasPlayedBefore) {
  const MazeBenchmark benchmark(trained(), lattice_episodes(15));
  for (int place = 0; place < static_cast<int>(benchmark.agents().size()); ++place) {
    benchmark::Latency latency;
    const auto one = benchmark.player(place), other = benchmark.player(place);
    one->play(3, 0, latency);
    EXPECT_EQ(one->play(3, 1, latency), other->play(3, 1, latency))
        << benchmark.agents()[static_cast<unsigned>(place)].name;
  }
}

TEST(MazeBenchmark, CountsEveryStepOnceByCellKindByLossAndByDepth) {
  const MazeBenchmark benchmark(trained(), lattice_episodes(15));
  benchmark::Latency latency;
  const benchmark::Outcome o = benchmark.player(agent_index(benchmark, "esm"))->play(1, 2, latency);
  ASSERT_EQ(o.tallies.size(), benchmark.tallied().size());
  benchmark::Tally sum;
  for (const benchmark::Tally& tally : o.tallies) sum.steps += tally.steps, sum.micro_steps += tally.micro_steps;
  EXPECT_EQ(sum.steps, 3 * o.steps);
  EXPECT_EQ(sum.micro_steps, 3 * o.corrections);
}

TEST(MazeBenchmark, IsMostlyLeftAloneInCorridorsAndNotAtClosedDoors) {
  const MazeBenchmark benchmark(trained(), lattice_episodes(15));
  const auto player = benchmark.player(agent_index(benchmark, "esm"));
  benchmark::Latency latency;
  std::array<benchmark::Tally, kCellKinds> all = {};
  for (int episode = 0; episode < 200; ++episode) {
    const benchmark::Outcome o = player->play(9, episode, latency);
    for (std::size_t p = 0; p < kCellKinds; ++p) {
      all[p].steps += o.tallies[p].steps;
      all[p].micro_steps += o.tallies[p].micro_steps;
    }
  }
  const auto mean = [&](CellKind place) {
    const benchmark::Tally& tally = all[static_cast<std::size_t>(place)];
    return static_cast<double>(tally.micro_steps) / tally.steps;
  };
  EXPECT_GT(mean(CellKind::closed_door), 4 * mean(CellKind::corridor));
  EXPECT_GT(mean(CellKind::dead_end), 4 * mean(CellKind::corridor));
  EXPECT_GT(mean(CellKind::junction), mean(CellKind::corridor));
}

}  // namespace
}  // namespace elastane::maze
