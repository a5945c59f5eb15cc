// lab/maze/grid.cpp: moves and path lengths.
#include "lab/maze/grid.h"

#include <gtest/gtest.h>

#include "tests/lab/maze/drawn_grid.h"

namespace elastane::maze {
namespace {

TEST(Grid, CutsNoCorners) {
  const Grid grid = drawn({"..", "#."});
  EXPECT_FALSE(grid.can_move({1, 1}, 6));  // up and to the left, past the wall
  EXPECT_TRUE(drawn({"..", ".."}).can_move({1, 1}, 6));
  EXPECT_DOUBLE_EQ(distances_to(grid, {0, 0}, Moves::eight)[3], 2);
}

TEST(Grid, AMoveAndItsOppositeCancel) {
  for (int move = 0; move < kMaxMoves; ++move) {
    const auto m = static_cast<std::size_t>(move), back = static_cast<std::size_t>(opposite(move));
    EXPECT_EQ(kMoveSteps[m] + kMoveSteps[back], Cell{});
  }
}

TEST(Grid, DistancesAreInfiniteAtWallsAndWhereNoPathLeads) {
  const std::vector<double> distances = distances_to(drawn({".#..."}), {4, 0}, Moves::four);
  EXPECT_EQ(distances, (std::vector<double>{kUnreachable, kUnreachable, 2, 1, 0}));
}

}  // namespace
}  // namespace elastane::maze
