// lab/maze/head.cpp: scores of moves.
#include "lab/maze/head.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lab/maze/drawn_grid.h"

namespace elastane::maze {
namespace {

TEST(Head, ScoresByItsFormula) {
  Head head{.weight = std::vector<double>(kHeadHidden * kMoveFeatures),
            .bias = std::vector<double>(kHeadHidden),
            .score = std::vector<double>(kHeadHidden)};
  head.weight[1 * kMoveFeatures + 6] = 2, head.bias[1] = 1, head.score[1] = 10;
  MoveFeatures f = {};
  f[6] = 1;
  EXPECT_DOUBLE_EQ(head.score_of(f), 10 * 3 / 4.0);  // σ(2·1 + 1) = 3/4
}

TEST(Head, TheLossIsTheCrossEntropyOverMovesThatLookFree) {
  const Observation observation{.view = view_at(drawn({"###", "...", "###"}), {1, 1})};
  const std::array<double, 4> scores = {1, 50, 2, 50}, shares = {1, 0, 0, 0};
  EXPECT_NEAR(cross_entropy(observation, scores, shares), std::log(1 + std::exp(1)), 1e-12);
}

}  // namespace
}  // namespace elastane::maze
