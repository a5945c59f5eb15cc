// lab/maze/expert.cpp: a re-planner that believes what it saw last.
#include "lab/maze/expert.h"

#include <gtest/gtest.h>

#include "lab/maze/lattice.h"

namespace elastane::maze {
namespace {

TEST(Expert, TakesTheShortestPathThroughWhatItExpects) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Episode episode = draw_lattice({}, seed);
    episode.plan = episode.after = episode.before;  // it knows everything, and nothing changes
    Environment environment(episode);
    Expert expert;
    expert.begin(episode);
    while (!environment.over()) {
      expert.observe(environment.observe());
      environment.step(expert.act());
    }
    EXPECT_TRUE(environment.arrived());
    EXPECT_DOUBLE_EQ(environment.ratio(), 1);
  }
}

TEST(Expert, ArrivesInMostMazesThatItDoesNotKnow) {
  int arrived = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Episode episode = draw_lattice({}, seed);
    Environment environment(episode);
    Expert expert;
    expert.begin(episode);
    while (!environment.over()) {
      expert.observe(environment.observe());
      environment.step(expert.act());
      EXPECT_FALSE(environment.bumped());
    }
    arrived += environment.arrived() ? 1 : 0;
  }
  EXPECT_GE(arrived, 95);
}

}  // namespace
}  // namespace elastane::maze
