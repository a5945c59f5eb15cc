// lab/maze/lattice.cpp: mazes by seed, in which a path always remains.
#include "lab/maze/lattice.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::maze {
namespace {

// every cell that is free can reach the goal
void expect_joined(const Grid& grid, Cell goal) {
  const std::vector<double> lengths = distances_to(grid, goal, Moves::four);
  for (int i = 0; i < grid.cells(); ++i) {
    EXPECT_TRUE(grid.is_wall(i) || lengths[static_cast<std::size_t>(i)] < kUnreachable);
  }
}

TEST(Lattice, LeavesAPathFromEverywhereBeforeAndAfterDoorsChange) {
  for (const int size : {15, 21, 27}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Episode episode = draw_lattice({.size = size}, seed);
      expect_joined(episode.before, episode.goal);
      expect_joined(episode.after, episode.goal);
    }
  }
}

TEST(Lattice, ClosesHalfOfItsDoorsAndChangesSome) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Episode episode = draw_lattice({}, seed);
    EXPECT_EQ(episode.doors.size(), 6U);
    EXPECT_EQ(std::ranges::count_if(episode.doors, [&](Cell c) { return episode.before.is_wall(c); }), 3);
    EXPECT_NE(episode.before, episode.after);
    EXPECT_LT(episode.change_at, episode.shortest);
    // nothing but doors changes
    Grid after = episode.before;
    for (const Cell door : episode.doors) after.set_wall(door, episode.after.is_wall(door));
    EXPECT_EQ(after, episode.after);
  }
}

TEST(Lattice, HasMoreDoorsWhereThereIsMoreRoom) {
  EXPECT_EQ(draw_lattice({.size = 21}, 1).doors.size(), 12U);
  EXPECT_EQ(draw_lattice({.size = 27}, 1).doors.size(), 19U);
}

TEST(Lattice, IsDrawnBySeedAlone) {
  const Episode a = draw_lattice({}, 5), b = draw_lattice({}, 5), c = draw_lattice({}, 6);
  EXPECT_EQ(a.before, b.before);
  EXPECT_EQ(a.after, b.after);
  EXPECT_EQ(a.start, b.start);
  EXPECT_NE(a.before, c.before);
}

TEST(Lattice, RefusesSizesThatDoNotFitALattice) {
  for (const int size : {0, 6, 16, 102}) {
    const Status status = validate(LatticeOptions{.size = size});
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().find("[maze] size: expected a multiple of 3"), std::string::npos) << status.error();
  }
  EXPECT_FALSE(validate(LatticeOptions{.loops = 2}));
  EXPECT_TRUE(validate(LatticeOptions{}));
}

}  // namespace
}  // namespace elastane::maze
