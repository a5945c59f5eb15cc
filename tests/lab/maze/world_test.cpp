// lab/maze/world.cpp: what programs see of the world.
#include "lab/maze/world.h"

#include <gtest/gtest.h>

#include "tests/paths.h"

namespace elastane::maze {
namespace {

TEST(World, OpensEveryBenchmarkAndRecordsItsFirstEpisode) {
  const lab::World maze = world();
  ASSERT_EQ(maze.benchmarks.size(), 3u);
  for (const lab::BenchmarkEntry& entry : maze.benchmarks) {
    EXPECT_EQ(entry.open(ELASTANE_MODELS).value()->name(), entry.name);
  }
  const auto recording = maze.benchmarks[0].record(ELASTANE_MODELS, {.agents = {"k0"}}).value();
  EXPECT_TRUE(recording->validate()) << recording->validate().error();
  EXPECT_FALSE(maze.benchmarks[0].open("nowhere"));
  ASSERT_EQ(maze.reproductions.size(), 2u);
  EXPECT_EQ(maze.reproductions[0].name, "maze_maps");
  EXPECT_EQ(maze.reproductions[1].name, "maze_rest");
}

}  // namespace
}  // namespace elastane::maze
