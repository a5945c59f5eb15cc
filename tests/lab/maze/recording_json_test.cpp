// lab/maze/recording_json.cpp, and what recording.cpp refuses.
#include <gtest/gtest.h>

#include "tests/lab/benchmark/page_checks.h"
#include "tests/lab/maze/made_up_recording.h"

namespace elastane::maze {
namespace {

using Json = nlohmann::json;

TEST(MazeRecording, ThePageHoldsTheEpisode) {
  const Json maze = benchmark::episode_of(benchmark::page_of(made_up_maze()));
  EXPECT_EQ(maze["world"], "maze");
  EXPECT_EQ(maze["doors"][0], Json({4, 1, 1, 0}));
  EXPECT_EQ(maze["agents"][1]["position"].size(), 11U);
  EXPECT_EQ(maze["agents"][1]["lengths"][0].size(), 27U);
  EXPECT_EQ(maze["agents"][1]["heat"][12], 2.0);
  EXPECT_TRUE(maze["agents"][1]["heat"][0].is_null());
}

TEST(MazeRecording, ThePageNeedsNoOtherFile) { benchmark::expect_self_contained(benchmark::page_of(made_up_maze())); }

TEST(MazeRecording, NamesWhatDoesNotFitTogether) {
  EXPECT_TRUE(made_up_maze().validate());
  auto walk = made_up_maze();
  walk.agents[1].heat.pop_back();
  benchmark::expect_refused(walk, "esm, heat: expected 27, found 26");
}

}  // namespace
}  // namespace elastane::maze
