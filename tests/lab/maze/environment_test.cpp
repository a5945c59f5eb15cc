// lab/maze/environment.cpp: where moves lead, what they cost, when doors change.
#include "lab/maze/environment.h"

#include <gtest/gtest.h>

#include "tests/lab/maze/drawn_grid.h"

namespace elastane::maze {
namespace {

TEST(Environment, AMoveIntoAWallStaysAndCounts) {
  const Grid grid = drawn({"..."});
  Episode episode{.plan = grid, .before = grid, .after = grid, .doors = {}, .start = {0, 0}, .goal = {2, 0}};
  measure_shortest(episode);
  Environment environment(episode);
  environment.step(1);
  EXPECT_TRUE(environment.observe().bumped);
  EXPECT_EQ(environment.position(), (Cell{0, 0}));
  environment.step(0);
  environment.step(0);
  EXPECT_TRUE(environment.arrived());
  EXPECT_DOUBLE_EQ(environment.ratio(), 1.5);
}

TEST(Environment, DoesNotCloseADoorOnTheAgent) {
  const Grid open = drawn({"...."});
  Grid closed = open;
  closed.set_wall({1, 0}, true);
  Episode episode{.plan = open,
                  .before = open,
                  .after = closed,
                  .change_at = 1,
                  .doors = {{1, 0}},
                  .start = {0, 0},
                  .goal = {3, 0}};
  measure_shortest(episode);
  Environment environment(episode);
  environment.step(0);
  EXPECT_FALSE(environment.grid().is_wall(Cell{1, 0}));
  environment.step(0);
  EXPECT_TRUE(environment.grid().is_wall(Cell{1, 0}));
}

TEST(Environment, NamesTheKindOfCell) {
  const Grid grid = drawn({"...", "##.", "#..", "#.."});
  Episode episode{.before = grid, .after = grid, .doors = {}};
  EXPECT_EQ(cell_kind(episode, grid, {0, 0}), CellKind::dead_end);
  EXPECT_EQ(cell_kind(episode, grid, {1, 0}), CellKind::corridor);
  EXPECT_EQ(cell_kind(episode, grid, {2, 2}), CellKind::room);
  episode.doors = {{1, 1}};
  EXPECT_EQ(cell_kind(episode, grid, {1, 0}), CellKind::closed_door);
}

}  // namespace
}  // namespace elastane::maze
