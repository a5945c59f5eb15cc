// elastane/train/learned_metric.cpp: Woodbury against a plain solve, and a diagonal that stays positive.
#include "elastane/train/learned_metric.h"

#include <gtest/gtest.h>

#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

TEST(LearnedMetric, SolvesAsThePlainMatrixDoes) {
  at::manual_seed(1);
  for (const int rank : {0, 1, 3}) {
    const at::Tensor diagonal = 0.5 + at::rand({6}, at::kDouble), factor = at::randn({6, rank}, at::kDouble);
    const at::Tensor g = at::randn({4, 6}, at::kDouble);
    const at::Tensor matrix = at::diag(diagonal) + factor.matmul(factor.t());
    EXPECT_LE(deviation(solve_learned(diagonal, factor, g), at::linalg_solve(matrix, g.t()).t()), 1e-12) << rank;
  }
}

TEST(LearnedMetric, HasAPositiveFiniteDiagonalForAnyNumber) {
  const at::Tensor learned = at::tensor({-1e30, -50.0, 0.0, 50.0, 1e30}, at::kDouble);
  const at::Tensor diagonal = metric_diagonal(learned);
  EXPECT_GT(diagonal.min().item<double>(), 0);
  EXPECT_TRUE(at::isfinite(diagonal).all().item<bool>());
}

}  // namespace
}  // namespace elastane::train
