// Tests of elastane/core/metric/conjugate_gradient.cpp: as many products as dimensions solve the system.
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

TEST(ConjugateGradient, SolvesTheSystemWithEnoughProducts) {
  constexpr int kD = 9, kM = 5;
  constexpr double kLambda = 0.3;
  Random random(2);
  DensePullback a(random_matrix(random, kM, kD), random_weight(random, kM));
  LoneMetric metric({.kind = Metric::conjugate_gradient, .damping = kLambda, .relative = false, .products = 3 * kD}, kD,
                    kM);
  const VectorXd s = random_vector(random, kM), g = a.j.transpose() * s;
  ASSERT_TRUE(metric.prepare(a, g));
  const VectorXd v = metric.solve(a, s);
  const MatrixXd dense = kLambda * MatrixXd::Identity(kD, kD) + a.a();
  EXPECT_LE((dense * v + g).norm(), 1e-9 * g.norm());
}

TEST(ConjugateGradient, DescendsWithFewProducts) {
  constexpr int kD = 30, kM = 20;
  Random random(3);
  DensePullback a(random_matrix(random, kM, kD), random_weight(random, kM));
  double before = 0;
  for (const int products : {1, 2, 4, 8}) {
    LoneMetric metric({.kind = Metric::conjugate_gradient, .damping = 0.1, .relative = false, .products = products}, kD,
                      kM);
    Random again(4);
    const VectorXd s = random_vector(again, kM), g = a.j.transpose() * s;
    ASSERT_TRUE(metric.prepare(a, g));
    const VectorXd v = metric.solve(a, s);
    const VectorXd av = a.a() * v;
    const double model = g.dot(v) + 0.5 * (v.dot(av) + 0.1 * v.squaredNorm());
    EXPECT_LT(model, before) << products << " products";
    before = model;
  }
}

}  // namespace
}  // namespace elastane
