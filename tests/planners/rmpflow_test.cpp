// elastane/planners/rmpflow.h: closed forms of the combined acceleration, and bad leaves.
#include "elastane/planners/rmpflow.h"

#include <gtest/gtest.h>

#include <limits>

#include "elastane/planners/rmp_leaves.h"
#include "tests/planners/systems.h"
#include "tests/realtime/interpose.h"

namespace elastane::planners {
namespace {

std::span<const double> as_span(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

class LinearMap final : public TaskMap {
 public:
  explicit LinearMap(MatrixXd a) : a_(std::move(a)) {}
  int tasks() const override { return static_cast<int>(a_.rows()); }
  void map(std::span<const double> q, std::span<const double>, std::span<double> x, DoubleRows jacobian,
           std::span<double>) const override {
    Eigen::Map<VectorXd>(x.data(), a_.rows()) = a_ * as_vector(q);
    write(a_, jacobian);
  }

 private:
  MatrixXd a_;
};

// x = (r cos φ, r sin φ): full rank, and curved
class PolarMap final : public TaskMap {
 public:
  int tasks() const override { return 2; }
  void map(std::span<const double> q, std::span<const double> v, std::span<double> x, DoubleRows j,
           std::span<double> curvature) const override {
    const double c = std::cos(q[1]), s = std::sin(q[1]), r = q[0];
    x[0] = r * c, x[1] = r * s;
    j[0][0] = c, j[0][1] = -r * s, j[1][0] = s, j[1][1] = r * c;
    curvature[0] = -2 * s * v[0] * v[1] - r * c * v[1] * v[1];
    curvature[1] = 2 * c * v[0] * v[1] - r * s * v[1] * v[1];
  }
};

// wants this acceleration, with this metric
class Wants final : public MotionPolicy {
 public:
  Wants(MatrixXd metric, VectorXd acceleration) : m(std::move(metric)), a(std::move(acceleration)) {}
  void evaluate(std::span<const double>, std::span<const double>, DoubleRows metric,
                std::span<double> force) const override {
    write(m, metric);
    Eigen::Map<VectorXd>(force.data(), m.rows()) = m * a;
  }
  MatrixXd m;
  VectorXd a;
};

TEST(RmpFlow, OnLinearTaskMapsIsTheWeightedLeastSquaresSolution) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const int d = 3;
    MatrixXd metric = MatrixXd::Zero(d, d);
    VectorXd force = VectorXd::Zero(d);
    const VectorXd q = random_matrix(random, d, 1), v = random_matrix(random, d, 1);
    RmpFlow flow({}, d, 4);
    flow.begin(as_span(q), as_span(v));
    for (const int k : {1, 2, 4}) {
      const MatrixXd a = random_matrix(random, k, d);
      const Wants policy(random_positive(random, k), random_matrix(random, k, 1));
      ASSERT_TRUE(flow.add(LinearMap(a), policy));
      metric += a.transpose() * policy.m * a;
      force += a.transpose() * policy.m * policy.a;
    }
    VectorXd resolved(d);
    ASSERT_TRUE(flow.resolve({resolved.data(), 3}));
    const VectorXd closed = metric.ldlt().solve(force);
    EXPECT_LT((resolved - closed).norm(), 1e-9 * (1 + closed.norm()));
  }
}

TEST(RmpFlow, OneFullRankLeafGetsTheAccelerationItWants) {
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const double q[] = {random.uniform(0.5, 2), random.uniform(-3, 3)}, v[] = {random.normal(), random.normal()};
    const PolarMap map;
    const Wants policy(random_positive(random, 2), random_matrix(random, 2, 1));
    RmpFlow flow({}, 2, 2);
    flow.begin(q, v);
    ASSERT_TRUE(flow.add(map, policy));
    double a[2];
    ASSERT_TRUE(flow.resolve(a));

    // ẍ = J q̈ + J̇q̇
    double x[2], j_values[4] = {}, bend[2] = {};
    const DoubleRows j{j_values, 2, 2};
    map.map(q, v, x, j, bend);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(j[i][0] * a[0] + j[i][1] * a[1] + bend[i], policy.a(i), 1e-9);
  }
}

TEST(RmpFlow, WhatNoLeafCaresForStaysAsItIs) {
  Random random(3);
  const double q[] = {0, 0, 0};
  RmpFlow flow({}, 3, 1);
  flow.begin(q, q);
  const MatrixXd a = random_matrix(random, 1, 3);
  ASSERT_TRUE(flow.add(LinearMap(a), Wants(MatrixXd::Constant(1, 1, 2), VectorXd::Constant(1, 0.7))));
  VectorXd resolved(3);
  ASSERT_TRUE(flow.resolve({resolved.data(), 3}));
  const VectorXd shortest = a.transpose() * 0.7 / a.squaredNorm();
  EXPECT_LT((resolved - shortest).norm(), 1e-9);
}

TEST(RmpFlow, DampingAddsToTheMetricAtTheRoot) {
  Random random(4);
  const double q[] = {0, 0};
  RmpFlow flow({.damping = 0.3}, 2, 2);
  const Wants policy(random_positive(random, 2), random_matrix(random, 2, 1));
  flow.begin(q, q);
  ASSERT_TRUE(flow.add(IdentityMap(2), policy));
  VectorXd resolved(2);
  ASSERT_TRUE(flow.resolve({resolved.data(), 2}));
  const VectorXd closed = (policy.m + 0.3 * MatrixXd::Identity(2, 2)).ldlt().solve(policy.m * policy.a);
  EXPECT_LT((resolved - closed).norm(), 1e-10);
}

TEST(RmpFlow, ALeafThatIsNotFiniteOrTooWideIsLeftOut) {
  const double q[] = {0, 0};
  double a[2];
  RmpFlow flow({}, 2, 2);
  flow.begin(q, q);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(flow.add(IdentityMap(2), Wants(MatrixXd::Identity(2, 2), VectorXd::Constant(2, nan))));
  EXPECT_FALSE(flow.add(LinearMap(MatrixXd::Ones(3, 2)), Wants(MatrixXd::Identity(3, 3), VectorXd::Ones(3))));
  EXPECT_FALSE(flow.resolve(a));
  EXPECT_EQ(a[0], 0);
  EXPECT_TRUE(flow.add(IdentityMap(2), Wants(MatrixXd::Identity(2, 2), VectorXd::Ones(2))));
  EXPECT_TRUE(flow.resolve(a));
  EXPECT_NEAR(a[0], 1, 1e-12);
}

TEST(RmpFlow, AsksForNoMemoryWhileItWorks) {
  if (!kCanWatch) GTEST_SKIP() << "sanitizers have an allocator of their own";
  const double goal[] = {2, 0}, q[] = {0, 0};
  double a[2];
  RmpFlow flow({}, 2, 2);
  watch();
  flow.begin(q, q);
  flow.add(IdentityMap(2), GoalAttractor(goal));
  flow.add(DistanceMap(goal, 0.1), ObstacleRepulsion());
  flow.resolve(a);
  EXPECT_EQ(unwatch().allocations, 0);
}

TEST(RmpFlow, RefusesOptionsThatMeanNothing) {
  EXPECT_TRUE(validate(RmpFlowOptions{}));
  EXPECT_FALSE(validate(RmpFlowOptions{.damping = -1}));
  EXPECT_FALSE(validate(RmpFlowOptions{.cut_off = 1}));
}

}  // namespace
}  // namespace elastane::planners
