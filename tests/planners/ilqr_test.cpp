// elastane/planners/ilqr.h: against Riccati's recursion and a dense solve, and what never happens.
#include "elastane/planners/ilqr.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "tests/planners/systems.h"
#include "tests/realtime/interpose.h"

namespace elastane::planners {
namespace {

constexpr int kStates = 4, kControls = 2, kHorizon = 6;

struct LinearQuadratic {
  explicit LinearQuadratic(std::uint64_t seed)
      : random(seed),
        system(0.7 * random_matrix(random, kStates, kStates), random_matrix(random, kStates, kControls)),
        cost(random, kStates, kControls),
        x(random_matrix(random, kStates, 1)),
        plan(kHorizon, kControls) {
    for (double& u : plan.values()) u = random.normal();
  }
  std::span<const double> start() const { return {x.data(), kStates}; }

  Random random;
  LinearSystem system;
  QuadraticCost cost;
  VectorXd x;
  Matrix plan;
};

// the textbook's recursion in absolute coordinates, u = Lx + l; nothing in common with the sweep around a plan
struct Riccati {
  explicit Riccati(const LinearQuadratic& p) {
    const MatrixXd &a = p.system.a, &b = p.system.b, w = p.cost.stage;
    const MatrixXd q = w.topLeftCorner(kStates, kStates), r = w.bottomRightCorner(kControls, kControls),
                   s = w.bottomLeftCorner(kControls, kStates);
    MatrixXd value = p.cost.end;
    VectorXd slope = p.cost.end_slope;
    for (int h = kHorizon - 1; h >= 0; --h) {
      const MatrixXd inverse = (r + b.transpose() * value * b).inverse();
      const MatrixXd gain = -inverse * (s + b.transpose() * value * a);
      const VectorXd offset = -inverse * (p.cost.stage_slope.tail(kControls) + b.transpose() * slope);
      gains.insert(gains.begin(), gain), offsets.insert(offsets.begin(), offset);
      slope = p.cost.stage_slope.head(kStates) + a.transpose() * slope +
              (s + b.transpose() * value * a).transpose() * offset;
      value = q + a.transpose() * value * a + (s + b.transpose() * value * a).transpose() * gain;
    }
  }
  std::vector<MatrixXd> gains;
  std::vector<VectorXd> offsets;
};

// the same by one dense solve: all states and controls as unknowns, the dynamics as constraints with multipliers
VectorXd dense_controls(const LinearQuadratic& p) {
  constexpr int kBlock = kStates + kControls, kUnknowns = kHorizon * kBlock + kStates,
                kEquations = (kHorizon + 1) * kStates;
  MatrixXd kkt = MatrixXd::Zero(kUnknowns + kEquations, kUnknowns + kEquations);
  VectorXd right = VectorXd::Zero(kUnknowns + kEquations);
  MatrixXd constraints = MatrixXd::Zero(kEquations, kUnknowns);
  for (int h = 0; h < kHorizon; ++h) {
    kkt.block(h * kBlock, h * kBlock, kBlock, kBlock) = p.cost.stage;
    right.segment(h * kBlock, kBlock) = -p.cost.stage_slope;
    constraints.block((h + 1) * kStates, h * kBlock, kStates, kStates) = p.system.a;
    constraints.block((h + 1) * kStates, h * kBlock + kStates, kStates, kControls) = p.system.b;
    constraints.block((h + 1) * kStates, (h + 1) * kBlock, kStates, kStates).diagonal().array() = -1;
  }
  kkt.block(kHorizon * kBlock, kHorizon * kBlock, kStates, kStates) = p.cost.end;
  right.segment(kHorizon * kBlock, kStates) = -p.cost.end_slope;
  constraints.topLeftCorner(kStates, kStates).setIdentity();
  right.segment(kUnknowns, kStates) = p.x;
  kkt.bottomLeftCorner(kEquations, kUnknowns) = constraints;
  kkt.topRightCorner(kUnknowns, kEquations) = constraints.transpose();
  const VectorXd solution = kkt.partialPivLu().solve(right);
  VectorXd controls(kHorizon * kControls);
  for (int h = 0; h < kHorizon; ++h) {
    controls.segment(h * kControls, kControls) = solution.segment(h * kBlock + kStates, kControls);
  }
  return controls;
}

TEST(Ilqr, OneSweepOnALinearQuadraticProblemGivesTheRiccatiSolution) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinearQuadratic p(seed);
    const Riccati riccati(p);
    Ilqr ilqr({.horizon = kHorizon, .regularisation = 0}, kStates, kControls);
    const IlqrReport report = ilqr.improve(p.system, p.cost, p.start(), p.plan.view());
    ASSERT_EQ(report.accepted, 1);
    EXPECT_EQ(report.alpha, 1);

    VectorXd x = p.x;
    double cost = 0;
    for (int h = 0; h < kHorizon; ++h) {
      const auto at = static_cast<std::size_t>(h);
      for (int i = 0; i < kControls; ++i) {
        for (int j = 0; j < kStates; ++j) EXPECT_NEAR(ilqr.feedback(h).view()[i][j], riccati.gains[at](i, j), 1e-9);
      }
      const VectorXd u = riccati.gains[at] * x + riccati.offsets[at];
      EXPECT_LT((as_vector(p.plan.row(h)) - u).norm(), 1e-8 * (1 + u.norm()));
      cost += p.cost.value(h, {x.data(), kStates}, {u.data(), kControls});
      x = p.system.a * x + p.system.b * u;
    }
    cost += p.cost.value(kHorizon, {x.data(), kStates}, {});
    EXPECT_NEAR(report.cost_after, cost, 1e-9 * (1 + std::fabs(cost)));
    EXPECT_LT((as_vector(ilqr.states().row(kHorizon)) - x).norm(), 1e-8 * (1 + x.norm()));
  }
}

TEST(Ilqr, OneSweepOnALinearQuadraticProblemGivesTheDenseSolution) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinearQuadratic p(seed);
    Ilqr ilqr({.horizon = kHorizon, .regularisation = 0}, kStates, kControls);
    ilqr.improve(p.system, p.cost, p.start(), p.plan.view());
    const VectorXd dense = dense_controls(p);
    EXPECT_LT((as_vector(p.plan.values()) - dense).norm(), 1e-8 * (1 + dense.norm()));
  }
}

TEST(Ilqr, ASecondSweepOnALinearQuadraticProblemFindsNothingLeft) {
  LinearQuadratic p(3);
  Ilqr ilqr({.horizon = kHorizon, .sweeps = 5, .regularisation = 0}, kStates, kControls);
  const IlqrReport report = ilqr.improve(p.system, p.cost, p.start(), p.plan.view());
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.sweeps, 2);
}

TEST(Ilqr, RegularisationShortensStepsButKeepsWhatTheyLeadTo) {
  for (const double lambda : {1e-6, 1e-4, 1e-2}) {
    LinearQuadratic p(5);
    Ilqr ilqr({.horizon = kHorizon, .sweeps = 200, .regularisation = lambda}, kStates, kControls);
    ilqr.improve(p.system, p.cost, p.start(), p.plan.view());
    const VectorXd dense = dense_controls(p);
    EXPECT_LT((as_vector(p.plan.values()) - dense).norm(), 1e-5 * (1 + dense.norm())) << lambda;
  }
}

TEST(Ilqr, SweepsNeverRaiseTheCostAndEndWhereItsGradientIsZero) {
  const Pendulum pendulum;
  const SwingTo cost(std::numbers::pi);
  const double x[] = {0.3, 0};
  Matrix plan(20, 1);
  Ilqr one({.horizon = 20, .regularisation = 1e-6}, 2, 1);
  double last = std::numeric_limits<double>::infinity();
  for (int sweep = 0; sweep < 60; ++sweep) {
    const IlqrReport report = one.improve(pendulum, cost, x, plan.view());
    EXPECT_LE(report.cost_after, report.cost_before);
    EXPECT_LE(report.cost_after, last);
    last = report.cost_after;
  }
  // by differences of the plan's cost
  const auto cost_of = [&](const Matrix& of) {
    double at[] = {x[0], x[1]}, next[2], sum = 0;
    for (int h = 0; h < of.rows(); ++h) {
      sum += cost.value(h, at, of.row(h));
      pendulum.step(at, of.row(h), next);
      std::ranges::copy(next, at);
    }
    return sum + cost.value(of.rows(), at, {});
  };
  for (int h = 0; h < 20; ++h) {
    Matrix more = plan, less = plan;
    more.row(h)[0] += 1e-4, less.row(h)[0] -= 1e-4;
    EXPECT_NEAR((cost_of(more) - cost_of(less)) / 2e-4, 0, 1e-4) << h;
  }
}

class HoleInTheMiddle final : public StageCost {
 public:
  double value(int, std::span<const double> x, std::span<const double> u) const override {
    if (std::fabs(x[0]) < 0.2) return std::numeric_limits<double>::quiet_NaN();
    return 0.5 * x[0] * x[0] + (u.empty() ? 0 : 1e-6 * u[0] * u[0]);
  }
  void expand(int, std::span<const double> x, std::span<const double> u, const CostExpansion& to) const override {
    to.x[0] = x[0], to.xx[0][0] = 1;
    if (!u.empty()) to.u[0] = 2e-6 * u[0], to.uu[0][0] = 2e-6;
  }
};

TEST(Ilqr, APlanWhoseCostIsNaNIsNeverAccepted) {
  const LinearSystem system(MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1));
  const HoleInTheMiddle cost;
  const double x[] = {1};
  Matrix plan(3, 1);
  Ilqr ilqr({.horizon = 3, .sweeps = 20}, 1, 1);
  const IlqrReport report = ilqr.improve(system, cost, x, plan.view());
  EXPECT_TRUE(std::isfinite(report.cost_after));
  EXPECT_LE(report.cost_after, report.cost_before);
  for (const double u : plan.values()) EXPECT_TRUE(std::isfinite(u));
}

TEST(Ilqr, AsksForNoMemoryWhilePlanning) {
  if (!kCanWatch) GTEST_SKIP() << "sanitizers have an allocator of their own";
  const Pendulum pendulum;
  const SwingTo cost(1);
  const double x[] = {0.3, 0};
  Matrix plan(8, 1);
  Ilqr ilqr({.horizon = 8, .sweeps = 4}, 2, 1);
  watch();
  ilqr.improve(pendulum, cost, x, plan.view());
  EXPECT_EQ(unwatch().allocations, 0);
}

TEST(Ilqr, RefusesOptionsThatMeanNothing) {
  EXPECT_TRUE(validate(IlqrOptions{}));
  EXPECT_EQ(validate(IlqrOptions{.horizon = 0}).error(), "[ilqr] horizon: expected 1 to 1000, found 0");
  EXPECT_FALSE(validate(IlqrOptions{.sweeps = 0}));
  EXPECT_FALSE(validate(IlqrOptions{.regularisation = -1}));
  EXPECT_FALSE(validate(IlqrOptions{.regularisation = std::numeric_limits<double>::quiet_NaN()}));
}

}  // namespace
}  // namespace elastane::planners
