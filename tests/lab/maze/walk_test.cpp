// lab/maze/walk.h and expert.h: what a walker sees, and what a re-planner makes of it.
#include "lab/maze/walk.h"

#include <gtest/gtest.h>

#include "lab/maze/expert.h"
#include "lab/maze/lattice.h"

namespace elastane::maze {
namespace {

// '.' is free; all rows are equally long
Grid drawn(std::initializer_list<const char*> rows) {
  Grid grid(static_cast<int>(std::string_view(*rows.begin()).size()), static_cast<int>(rows.size()), true);
  int y = 0;
  for (const std::string_view row : rows) {
    for (int x = 0; x < grid.width(); ++x) grid.set_wall({x, y}, row[static_cast<std::size_t>(x)] != '.');
    ++y;
  }
  return grid;
}

Seen seen(const View& view, int dx, int dy) { return view[static_cast<std::size_t>((dy + 1) * kView + dx + 1)]; }

TEST(View, DoesNotLookAroundCorners) {
  const View view = look_around(drawn({".#.", "...", "..."}), {1, 1});
  EXPECT_EQ(seen(view, 0, -1), Seen::wall);
  EXPECT_EQ(seen(view, -1, -1), Seen::hidden);
  EXPECT_EQ(seen(view, 1, -1), Seen::hidden);
  EXPECT_EQ(seen(view, 1, 1), Seen::free);
  EXPECT_EQ(seen(view, 0, 0), Seen::free);
}

TEST(View, DoesNotDependOnWhatWallsHide) {
  Grid grid = drawn({"###", "...", "###"});
  const View before = look_around(grid, {1, 1});
  for (const Cell corner : {Cell{0, 0}, Cell{2, 0}, Cell{0, 2}, Cell{2, 2}}) grid.set_wall(corner, false);
  EXPECT_EQ(look_around(grid, {1, 1}), before);
}

TEST(View, SeesTheEdgeAsWalls) {
  const View view = look_around(Grid(2, 1, false), {0, 0});
  EXPECT_EQ(seen(view, -1, 0), Seen::wall);
  EXPECT_EQ(seen(view, 1, 0), Seen::free);
}

TEST(Grid, CutsNoCorners) {
  const Grid grid = drawn({"..", "#."});
  EXPECT_FALSE(grid.can_move({1, 1}, 6));  // up and to the left, past the wall
  EXPECT_TRUE(drawn({"..", ".."}).can_move({1, 1}, 6));
  EXPECT_DOUBLE_EQ(lengths_to(grid, {0, 0}, Moves::eight)[3], 2);
}

TEST(Grid, TurnsMovesBack) {
  for (int way = 0; way < kMostWays; ++way) {
    const auto w = static_cast<std::size_t>(way), back = static_cast<std::size_t>(reverse(way));
    EXPECT_EQ(kWays[w] + kWays[back], Cell{});
  }
}

TEST(Walk, StaysWhereAWallIsAndPaysForIt) {
  const Grid grid = drawn({"..."});
  Task task{.plan = grid, .before = grid, .after = grid, .doors = {}, .start = {0, 0}, .goal = {2, 0}};
  measure(task);
  Walk walk(task);
  walk.move(1);
  EXPECT_TRUE(walk.look().bumped);
  EXPECT_EQ(walk.position(), (Cell{0, 0}));
  walk.move(0);
  walk.move(0);
  EXPECT_TRUE(walk.arrived());
  EXPECT_DOUBLE_EQ(walk.ratio(), 1.5);
}

TEST(Walk, DoesNotCloseADoorOnTheWalker) {
  const Grid open = drawn({"...."});
  Grid closed = open;
  closed.set_wall({1, 0}, true);
  Task task{.plan = open,
            .before = open,
            .after = closed,
            .change_at = 1,
            .doors = {{1, 0}},
            .start = {0, 0},
            .goal = {3, 0}};
  measure(task);
  Walk walk(task);
  walk.move(0);
  EXPECT_FALSE(walk.grid().is_wall(Cell{1, 0}));
  walk.move(0);
  EXPECT_TRUE(walk.grid().is_wall(Cell{1, 0}));
}

TEST(Replanner, TakesTheShortestWayThroughWhatItExpects) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Task task = draw_lattice({}, seed);
    task.plan = task.after = task.before;  // it knows all, and nothing changes
    Walk walk(task);
    Replanner expert;
    expert.begin(task);
    while (!walk.over()) {
      expert.see(walk.look());
      walk.move(expert.act());
    }
    EXPECT_TRUE(walk.arrived());
    EXPECT_DOUBLE_EQ(walk.ratio(), 1);
  }
}

TEST(Replanner, ArrivesInMostMazesThatItDoesNotKnow) {
  int arrived = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Task task = draw_lattice({}, seed);
    Walk walk(task);
    Replanner expert;
    expert.begin(task);
    while (!walk.over()) {
      expert.see(walk.look());
      walk.move(expert.act());
      EXPECT_FALSE(walk.bumped());
    }
    arrived += walk.arrived() ? 1 : 0;
  }
  EXPECT_GE(arrived, 95);
}

}  // namespace
}  // namespace elastane::maze
