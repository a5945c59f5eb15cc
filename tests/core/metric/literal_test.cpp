// Tests of elastane/core/metric/literal.cpp: the solve is that of λI + UUᵀ (paper eq. 3). What its average of factors
// does is in tests/laws/average_test.cpp.
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

TEST(Literal, SolvesByTheFactorAsTheDenseMatrixDoes) {
  constexpr int kD = 12, kM = 5;
  constexpr double kLambda = 0.3;
  Random random(3);
  LoneMetric metric({.kind = Metric::literal, .damping = kLambda, .rank = 4}, kD, kM);
  for (int t = 0; t < 20; ++t) {
    DensePullback a(random_matrix(random, kM, kD), random_weight(random, kM));
    const VectorXd s = random_vector(random, kM), g = a.j.transpose() * s;
    ASSERT_TRUE(metric.prepare(a, g));
    const VectorXd v = metric.solve(a, s);
    const MatrixXd u = metric.factor();
    const MatrixXd dense = kLambda * MatrixXd::Identity(kD, kD) + u * u.transpose();
    EXPECT_LE((dense * v + g).norm(), 1e-10 * g.norm()) << t;
  }
}

TEST(Literal, ProbesTheGradientFirst) {
  constexpr int kD = 6, kM = 4;
  Random random(1);
  DensePullback a(random_matrix(random, kM, kD), MatrixXd::Identity(kM, kM));
  LoneMetric metric({.kind = Metric::literal, .rank = 3}, kD, kM);
  const VectorXd g = random_vector(random, kD);
  ASSERT_TRUE(metric.prepare(a, g));
  EXPECT_EQ(VectorXd(metric.probes().col(0)), g);
}

}  // namespace
}  // namespace elastane
