// lab/maze/episode_source.cpp: episodes by seed and number.
#include "lab/maze/episode_source.h"

#include <gtest/gtest.h>

namespace elastane::maze {
namespace {

TEST(EpisodeSource, NamesLatticesBySize) {
  EXPECT_EQ(lattice_episodes(15).name, "maze");
  EXPECT_EQ(lattice_episodes(27).name, "maze_27");
  EXPECT_EQ(lattice_episodes(27).shape.width, 27);
}

TEST(EpisodeSource, DrawsTheSameEpisodeAgain) {
  const EpisodeSource source = lattice_episodes(15);
  EXPECT_EQ(source.draw(2, 3).before, source.draw(2, 3).before);
  EXPECT_NE(source.draw(2, 3).before, source.draw(2, 4).before);
  EXPECT_NE(source.draw(2, 3).before, source.draw(3, 3).before);
}

TEST(EpisodeSource, TakesScenariosInTurnAndLeavesOutThoseWithoutAPath) {
  const Grid map(6, 6, false);
  const MapScenario far{.map = "", .width = 6, .height = 6, .start = {0, 0}, .goal = {5, 5}};
  MapScenario near = far, none = far;
  near.goal = {0, 3}, none.goal = none.start;
  const EpisodeSource source = map_episodes("map", map, {far, none, near}, {.unchanging = true});
  EXPECT_EQ(source.draw(1, 0).goal, far.goal);
  EXPECT_EQ(source.draw(1, 1).goal, near.goal);
  EXPECT_EQ(source.draw(1, 2).goal, far.goal);
  EXPECT_TRUE(source.draw(1, 0).doors.empty());
  EXPECT_EQ(map_episodes("map", map, {far}, {.known = KnownPlan::nothing}).draw(1, 0).plan, Grid(6, 6, false));
}

}  // namespace
}  // namespace elastane::maze
