// lab/maze/observation.cpp: what an agent sees, and how a network receives it.
#include "lab/maze/observation.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/lab/maze/drawn_grid.h"

namespace elastane::maze {
namespace {

CellState seen(const View& view, int dx, int dy) { return view[static_cast<std::size_t>((dy + 1) * kView + dx + 1)]; }

TEST(View, DoesNotLookAroundCorners) {
  const View view = view_at(drawn({".#.", "...", "..."}), {1, 1});
  EXPECT_EQ(seen(view, 0, -1), CellState::wall);
  EXPECT_EQ(seen(view, -1, -1), CellState::hidden);
  EXPECT_EQ(seen(view, 1, -1), CellState::hidden);
  EXPECT_EQ(seen(view, 1, 1), CellState::free);
  EXPECT_EQ(seen(view, 0, 0), CellState::free);
}

TEST(View, DoesNotDependOnWhatWallsHide) {
  Grid grid = drawn({"###", "...", "###"});
  const View before = view_at(grid, {1, 1});
  for (const Cell corner : {Cell{0, 0}, Cell{2, 0}, Cell{0, 2}, Cell{2, 2}}) grid.set_wall(corner, false);
  EXPECT_EQ(view_at(grid, {1, 1}), before);
}

TEST(View, SeesTheEdgeAsWalls) {
  const View view = view_at(Grid(2, 1, false), {0, 0});
  EXPECT_EQ(seen(view, -1, 0), CellState::wall);
  EXPECT_EQ(seen(view, 1, 0), CellState::free);
}

TEST(Observation, IsEncodedInTheDocumentedOrder) {
  const Observation observation{.view = view_at(drawn({".#.", "...", "..."}), {1, 1}),
                                .position = {1, 1},
                                .goal = {28, 1},
                                .last_move = 2,
                                .bumped = true};
  std::array<float, kInputs> x;
  encode(observation, x);
  EXPECT_EQ(x[0], 0);   // hidden
  EXPECT_EQ(x[1], 1);   // a wall
  EXPECT_EQ(x[4], -1);  // free
  EXPECT_FLOAT_EQ(x[kViewCells], 1 / 27.0F);
  EXPECT_EQ(x[kViewCells + kPositionInputs], 1);  // 27 cells to the right
  EXPECT_EQ(x[kViewCells + kPositionInputs + 1], 0);
  EXPECT_EQ(x[kViewCells + kPositionInputs + 2 + 2], 1);  // the last move
  EXPECT_EQ(x[kInputs - 1], 1);                           // it failed
}

TEST(Observation, TheBestMoveIsOneThatLooksFree) {
  const Observation observation{.view = view_at(drawn({"###", "..#", "#.#"}), {1, 1}), .position = {1, 1}};
  const std::array<double, 4> logits = {9, 1, 2, 9};
  EXPECT_EQ(best_free_move(observation, std::span<const double>(logits)), 2);
  const Observation enclosed{.view = view_at(drawn({"#"}), {0, 0})};
  EXPECT_EQ(best_free_move(enclosed, std::span<const double>(logits)), kStay);
}

}  // namespace
}  // namespace elastane::maze
