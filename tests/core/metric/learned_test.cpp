// Tests of elastane/core/metric/learned.cpp: v = −(diag(s) + LLᵀ)⁻¹g.
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

TEST(Learned, SolvesByTheFactorAsTheDenseMatrixDoes) {
  for (const int rank : {0, 1, 3, 8}) {
    constexpr int kD = 11, kM = 4;
    Random random(static_cast<std::uint64_t>(5 + rank));
    const RandomLearned learned(random, kD, rank);
    DensePullback a(random_matrix(random, kM, kD), MatrixXd::Identity(kM, kM));
    LoneMetric metric({.kind = Metric::learned}, kD, kM, learned.view);
    const VectorXd s = random_vector(random, kM), g = a.j.transpose() * s;
    ASSERT_TRUE(metric.prepare(a, g));
    const VectorXd v = metric.solve(a, s);
    const MatrixXd l = as_eigen(learned.view.factor, kD);
    MatrixXd dense = l * l.transpose();
    dense.diagonal() += as_eigen(learned.diagonal);
    EXPECT_LE((dense * v + g).norm(), 1e-10 * g.norm()) << rank;
  }
}

TEST(Learned, IsRefusedWithoutWeights) {
  Random random(1);
  DensePullback a(random_matrix(random, 3, 5), MatrixXd::Identity(3, 3));
  LoneMetric metric({.kind = Metric::learned}, 5, 3);
  const VectorXd s = random_vector(random, 3), g = a.j.transpose() * s;
  ASSERT_TRUE(metric.prepare(a, g));
  metric.solve(a, s);
  EXPECT_FALSE(metric.solved);
}

}  // namespace
}  // namespace elastane
