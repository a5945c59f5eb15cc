// Tests of elastane/core/metric/sketch.cpp: λ keeps the condition of a sketched G (G11).
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

class ClampOf : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metric, ClampOf, testing::Values(Metric::sketch, Metric::fixed),
                         [](const auto& test) { return std::string(name(test.param)); });

// κ of λI + UUᵀ, by the book
double condition_of(const LoneMetric& metric, int d) {
  const MatrixXd u = metric.factor() / std::sqrt(*metric.geometry.memory.weight);
  const MatrixXd g = metric.geometry.damping() * MatrixXd::Identity(d, d) + u * u.transpose();
  return largest_eigenvalue(g) / smallest_eigenvalue(g);
}

TEST_P(ClampOf, KeepsTheConditionWithinItsLimit) {
  for (const double limit : {2.0, 10.0, 100.0, 1e4}) {
    for (const auto& [d, m, rank] : {std::tuple(14, 9, 4), {14, 2, 4}, {9, 20, 9}, {1, 1, 1}}) {
      for (const double damping : {1e-9, 1e-3, 1.0}) {
        Random random(7);
        LoneMetric metric(
            {.kind = GetParam(), .damping = damping, .rank = rank, .condition_limit = limit, .warm_up = 5}, d, m);
        for (int t = 0; t < 25; ++t) {
          // scales wander over eight decades
          const double scale = std::exp(random.uniform(-9, 9));
          DensePullback a(random_matrix(random, m, d), scale * random_weight(random, m));
          const VectorXd z = random_vector(random, d);
          ASSERT_TRUE(metric.prepare(a, a.j.transpose() * random_vector(random, m)));
          const double condition = condition_of(metric, d);
          ASSERT_LE(condition, limit * (1 + 1e-9)) << "λ " << damping << ", step " << t;
          ASSERT_LE(metric.geometry.condition(), limit * (1 + 1e-9)) << "as reported";
          ASSERT_GE(metric.geometry.condition(), condition * (1 - 1e-9)) << "as reported";
          metric.geometry.learn({z.data(), static_cast<std::size_t>(d)}, {z.data(), static_cast<std::size_t>(d)}, true);
        }
      }
    }
  }
}

TEST_P(ClampOf, RaisesDampingOnlyWhereItMust) {
  // one even direction for each latent: what λ asks for is enough
  Random random(3);
  DensePullback flat(MatrixXd::Identity(6, 6), MatrixXd::Identity(6, 6));
  LoneMetric metric({.kind = GetParam(), .damping = 2.0, .rank = 6}, 6, 6);
  ASSERT_TRUE(metric.prepare(flat, random_vector(random, 6)));
  EXPECT_NEAR(metric.geometry.damping(), 2.0, 1e-9);
  EXPECT_EQ(metric.geometry.damping(), metric.geometry.base_damping());
}

TEST_P(ClampOf, CoversWhatTheSketchDoesNotSee) {
  // λ ≳ ‖A − UUᵀ‖: of a flat A of which two of twenty directions are seen, the rest is as large as they are
  DensePullback flat(MatrixXd::Identity(20, 20), MatrixXd::Identity(20, 20));
  Random random(3);
  LoneMetric metric({.kind = GetParam(), .damping = 1e-6, .rank = 2, .condition_limit = 1e9}, 20, 20);
  for (int t = 0; t < 30; ++t) {
    ASSERT_TRUE(metric.prepare(flat, random_vector(random, 20)));
    EXPECT_NEAR(metric.geometry.damping(), 1.0, 1e-6);
    *metric.geometry.memory.count += 1;
  }
}

TEST(Clamp, StaysFiniteWhenTheWeightJumpsAMillionfold) {
  for (const Metric kind : {Metric::sketch, Metric::fixed, Metric::literal, Metric::exact, Metric::conjugate_gradient,
                            Metric::euclidean, Metric::latent_covariance, Metric::kalman}) {
    TanhLatent model(8, 12, 6, 5, 1.5);
    SquaredError objective(Vector(6, 0.0));
    LoneCorrector lone({.metric = {.kind = kind, .rank = 4, .warm_up = 4}}, model);
    Random random(9);
    int accepted = 0;
    for (int t = 0; t < 200; ++t) {
      objective.weight = t / 20 % 2 == 1 ? 1e6 : 1.0;
      objective.target = random_point(random, 6);
      Vector z = random_point(random, 8);
      const StepReport report = lone.correct(model, objective, z);
      accepted += report.accepted;
      for (const double value : lone.memory) ASSERT_TRUE(std::isfinite(value)) << name(kind) << ", step " << t;
      for (const double value : z) ASSERT_TRUE(std::isfinite(value)) << name(kind) << ", step " << t;
      const bool clamped = kind == Metric::sketch || kind == Metric::fixed;
      ASSERT_LE(report.condition, clamped ? 10 * (1 + 1e-9) : HUGE_VAL) << name(kind);
    }
    EXPECT_GT(accepted, kind == Metric::literal ? 0 : 20) << name(kind);
  }
}

}  // namespace
}  // namespace elastane
