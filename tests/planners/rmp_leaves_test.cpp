// elastane/planners/rmp_leaves.h: derivatives against differences, and where the policies lead.
#include "elastane/planners/rmp_leaves.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "elastane/core/base/random.h"

namespace elastane::planners {
namespace {

TEST(DistanceMap, DerivativesOfADistanceAgreeWithDifferences) {
  Random random(5);
  const double centre[] = {0.2, -0.4}, e = 1e-6;
  const DistanceMap map(centre, 0.3);
  for (int trial = 0; trial < 20; ++trial) {
    const std::array q{random.uniform(-2, 2), random.uniform(-2, 2)}, v{random.normal(), random.normal()};
    const auto at = [&](const std::array<double, 2>& place, double* jacobian, double* bend) {
      double x = 0, unused[2] = {}, flat = 0;
      map.map(place, v, {&x, 1}, {jacobian == nullptr ? unused : jacobian, 1, 2}, {bend == nullptr ? &flat : bend, 1});
      return x;
    };
    double j[2] = {}, bend = 0;
    at(q, j, &bend);
    for (std::size_t i = 0; i < 2; ++i) {
      auto more = q, less = q;
      more[i] += e, less[i] -= e;
      EXPECT_NEAR(j[i], (at(more, nullptr, nullptr) - at(less, nullptr, nullptr)) / (2 * e), 1e-7);
    }
    // J̇q̇ = d/dt (J(q(t)) v)
    double after[2] = {}, before[2] = {};
    at({q[0] + e * v[0], q[1] + e * v[1]}, after, nullptr);
    at({q[0] - e * v[0], q[1] - e * v[1]}, before, nullptr);
    const double change = ((after[0] - before[0]) * v[0] + (after[1] - before[1]) * v[1]) / (2 * e);
    EXPECT_NEAR(bend, change, 1e-5 * (1 + std::fabs(bend)));
  }
}

TEST(ObstacleRepulsion, GrowsOnApproachAndFadesOnRetreat) {
  const ObstacleRepulsion repulsion;
  const auto metric = [&](double x, double speed) {
    double m = 0, f = 0;
    repulsion.evaluate({&x, 1}, {&speed, 1}, {&m, 1, 1}, {&f, 1});
    return m;
  };
  EXPECT_GT(metric(0.2, -1), 3 * metric(0.2, 1));
  EXPECT_GT(metric(0.1, -1), metric(0.2, -1));
}

TEST(RmpLeaves, LeadAroundAnObstacleToTheGoal) {
  const double goal[] = {2, 0}, centre[] = {1, 0.05}, radius = 0.3;
  std::array<double, 2> q{0, 0}, v{0, 0}, a{};
  RmpFlow flow({}, 2, 2);
  double nearest = 1;
  for (int t = 0; t < 3000; ++t) {
    flow.begin(q, v);
    flow.add(IdentityMap(2), GoalAttractor(goal, {.gain = 1, .damping = 0.5}));
    flow.add(IdentityMap(2), Damping(2.0));
    flow.add(DistanceMap(centre, radius), ObstacleRepulsion());
    ASSERT_TRUE(flow.resolve(a));
    for (std::size_t i = 0; i < 2; ++i) v[i] += 0.01 * a[i], q[i] += 0.01 * v[i];
    nearest = std::min(nearest, std::hypot(q[0] - centre[0], q[1] - centre[1]) - radius);
  }
  EXPECT_GT(nearest, 0);
  EXPECT_LT(std::hypot(q[0] - goal[0], q[1] - goal[1]), 0.05);
}

TEST(Damping, OpposesTheVelocity) {
  const double x[] = {0, 0}, velocity[] = {1, -2};
  double metric[4] = {}, force[2] = {};
  Damping(3.0, 0.5).evaluate(x, velocity, {metric, 2, 2}, force);
  EXPECT_DOUBLE_EQ(force[0], -1.5);
  EXPECT_DOUBLE_EQ(force[1], 3);
  EXPECT_DOUBLE_EQ(metric[0], 0.5);
  EXPECT_DOUBLE_EQ(metric[1], 0);
}

}  // namespace
}  // namespace elastane::planners
