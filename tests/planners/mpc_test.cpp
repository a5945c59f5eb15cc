// elastane/planners/mpc.h: plans are kept, shifted and forgotten, and lead to the goal.
#include "elastane/planners/mpc.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/planners/systems.h"
#include "tests/realtime/interpose.h"

namespace elastane::planners {
namespace {

const Pendulum kPendulum;

// what a whole run costs, and where it ends
struct Swing {
  double cost = 0, angle = 0.3, rate = 0;
};
Swing swing(Mpc& mpc, const StageCost& cost, int steps) {
  Swing at;
  for (int t = 0; t < steps; ++t) {
    const double x[] = {at.angle, at.rate};
    double next[2];
    const auto u = mpc.plan(kPendulum, cost, x);
    at.cost += cost.value(0, x, u);
    kPendulum.step(x, u, next);
    at.angle = next[0], at.rate = next[1];
  }
  return at;
}

TEST(Mpc, BringsAPendulumUprightAndKeepsItThere) {
  const SwingTo cost(std::numbers::pi);
  Mpc mpc({.horizon = 8, .sweeps = 3, .regularisation = 1e-6}, 2, 1);
  const Swing end = swing(mpc, cost, 100);
  EXPECT_NEAR(end.angle, std::numbers::pi, 1e-3);
  EXPECT_NEAR(end.rate, 0, 1e-3);
}

TEST(Mpc, WithoutDisturbanceTheShiftedPlanIsWhereTheLastOneLeft) {
  const SwingTo cost(1);
  Mpc mpc({.horizon = 8, .sweeps = 1}, 2, 1);
  const double x[] = {0.3, 0};
  mpc.plan(kPendulum, cost, x);
  const Matrix before = mpc.controls(), states = mpc.states();
  // judged by a planner that may not change anything: its only sweep starts from what was shifted
  mpc.plan(kPendulum, cost, states.row(1));
  double shifted = cost.value(0, states.row(1), before.row(1));
  for (int h = 2; h < 8; ++h) shifted += cost.value(h - 1, states.row(h), before.row(h));
  double end[2];
  kPendulum.step(states.row(8), before.row(7), end);
  shifted += cost.value(7, states.row(8), before.row(7)) + cost.value(8, end, {});
  EXPECT_NEAR(mpc.report().cost_before, shifted, 1e-12 * shifted);
}

TEST(Mpc, AfterAResetItIsAsNew) {
  const SwingTo cost(1);
  const MpcOptions options{.horizon = 3};
  Mpc used(options, 2, 1), fresh(options, 2, 1);
  swing(used, cost, 5);
  used.reset();
  EXPECT_EQ(swing(used, cost, 20).cost, swing(fresh, cost, 20).cost);
}

TEST(Mpc, BeginsWithThePlanItIsGiven) {
  const SwingTo cost(1);
  const double x[] = {0.3, 0};
  Mpc mpc({.horizon = 3}, 2, 1);
  Matrix given(3, 1);
  given.fill(2);
  mpc.start_from(given.view());
  mpc.plan(kPendulum, cost, x);
  Ilqr ilqr({.horizon = 3, .sweeps = 3}, 2, 1);
  const IlqrReport report = ilqr.improve(kPendulum, cost, x, given.view());
  EXPECT_EQ(mpc.report().cost_before, report.cost_before);
  EXPECT_EQ(mpc.controls().row(0)[0], given.row(0)[0]);
}

TEST(Mpc, AsksForNoMemoryWhilePlanning) {
  if (!kCanWatch) GTEST_SKIP() << "sanitizers have an allocator of their own";
  const SwingTo cost(1);
  Mpc mpc({}, 2, 1);
  watch();
  swing(mpc, cost, 10);
  EXPECT_EQ(unwatch().allocations, 0);
}

TEST(Mpc, RefusesOptionsThatMeanNothing) {
  EXPECT_TRUE(validate(MpcOptions{}));
  EXPECT_FALSE(validate(MpcOptions{.horizon = 0}));
}

}  // namespace
}  // namespace elastane::planners
