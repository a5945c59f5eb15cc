// Tests of elastane/core/metric/exact.cpp: v = −(λI + JᵀWJ)⁻¹g, whichever space is smaller.
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

TEST(Exact, SolvesTheDampedSystemInEitherSpace) {
  constexpr double kLambda = 0.3;
  for (const auto& [d, m] : {std::pair(12, 4), {4, 12}, {7, 7}, {1, 3}, {3, 1}}) {
    for (const bool diagonal : {true, false}) {
      Random random(static_cast<std::uint64_t>(17 * d + m));
      const MatrixXd j = random_matrix(random, m, d);
      const MatrixXd w = diagonal ? MatrixXd(0.7 * MatrixXd::Identity(m, m)) : random_weight(random, m);
      DensePullback a(j, w);
      LoneMetric metric({.kind = Metric::exact, .damping = kLambda, .relative = false}, d, m);
      const VectorXd s = random_vector(random, m), g = j.transpose() * s;
      ASSERT_TRUE(metric.prepare(a, g));
      const VectorXd v = metric.solve(a, s);
      const MatrixXd dense = kLambda * MatrixXd::Identity(d, d) + a.a();
      EXPECT_LE((dense * v + g).norm(), 1e-10 * g.norm()) << d << ", " << m << ", " << diagonal;
    }
  }
}

TEST(Exact, RefusesAWeightThatIsNotFinite) {
  Random random(1);
  DensePullback a(random_matrix(random, 3, 5), std::nan("") * MatrixXd::Identity(3, 3));
  LoneMetric metric({.kind = Metric::exact}, 5, 3);
  EXPECT_FALSE(metric.prepare(a, random_vector(random, 5)));
}

}  // namespace
}  // namespace elastane
