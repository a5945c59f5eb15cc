// Tests of elastane/core/metric/geometry.cpp: the unit of λ, and copies.
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

TEST(Geometry, MeasuresDampingInUnitsOfTheTrace) {
  constexpr int kD = 6, kM = 4;
  Random random(1);
  DensePullback a(random_matrix(random, kM, kD), MatrixXd::Identity(kM, kM));
  LoneMetric metric({.kind = Metric::exact, .damping = 0.01}, kD, kM);
  ASSERT_TRUE(metric.prepare(a, random_vector(random, kD)));
  EXPECT_NEAR(metric.geometry.damping(), 0.01 * a.a().trace() / kD, 1e-12);
}

TEST(Geometry, RefusesWhereNothingDependsOnTheLatent) {
  DensePullback a(MatrixXd::Zero(4, 6), MatrixXd::Identity(4, 4));
  LoneMetric metric({.kind = Metric::exact}, 6, 4);
  EXPECT_FALSE(metric.prepare(a, VectorXd::Zero(6)));
}

TEST(Geometry, CopiesAreEqualAndIndependent) {
  constexpr int kD = 6, kM = 4;
  for (const Metric kind : {Metric::exact, Metric::sketch, Metric::kalman, Metric::conjugate_gradient}) {
    Random random(2);
    DensePullback a(random_matrix(random, kM, kD), MatrixXd::Identity(kM, kM));
    DensePullback other(random_matrix(random, kM, kD), MatrixXd::Identity(kM, kM));
    LoneMetric metric({.kind = kind, .rank = 3}, kD, kM);
    const VectorXd s = padded(random_vector(random, kM)), g = padded(a.j.transpose() * s.head(kM));
    ASSERT_TRUE(metric.prepare(a, g.head(kD)));
    Geometry copy(metric.geometry);
    const auto solve = [&](Geometry& geometry) {
      Vector v(static_cast<std::size_t>(double_stride(kD)));
      EXPECT_TRUE(geometry.solve(a, {s.data(), kM}, {g.data(), kD}, {v.data(), kD}));
      return v;
    };
    const Vector expected = solve(metric.geometry);
    metric.geometry.anticipate(other);  // writes into its own scratch only
    EXPECT_EQ(solve(copy), expected) << name(kind);
    EXPECT_NE(copy.work.block(), metric.geometry.work.block());
  }
}

}  // namespace
}  // namespace elastane
