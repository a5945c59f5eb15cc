// Tests of elastane/core/metric/sketch.cpp: the running average of metrics (G3); and of literal.cpp, which averages
// factors.
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr double kTolerance = 1e-10;

MetricOptions sketch(int rank, double memory) { return {.kind = Metric::sketch, .rank = rank, .memory = memory}; }

// AΩ(ΩᵀAΩ)⁺ΩᵀA, by the book
MatrixXd nystrom(const MatrixXd& a, const MatrixXd& omega) {
  const MatrixXd y = a * omega, t = omega.transpose() * y;
  return y * pseudo_inverse(t) * y.transpose();
}

TEST(Average, IsOfMetricsBeforeItIsCutToItsRank) {
  constexpr int kD = 18, kM = 14, kRank = 5;
  for (const double beta : {0.5, 0.8, 0.98}) {
    Random random(3);
    LoneMetric metric(sketch(kRank, beta), kD, kM);
    MatrixXd before = MatrixXd::Zero(kD, kD);
    int columns = 0;  // of U so far
    for (int t = 0; t < 30; ++t) {
      DensePullback a(random_matrix(random, kM, kD), random_weight(random, kM));
      ASSERT_TRUE(metric.prepare(a, random_vector(random, kD)));
      // BBᵀ = β²UUᵀ + (1−β²)NNᵀ
      const MatrixXd b = as_eigen(metric.geometry.work.basis.slice(0, columns + kRank), kD);
      const MatrixXd expected = beta * beta * before + (1 - beta * beta) * nystrom(a.a(), metric.probes());
      EXPECT_LE((b * b.transpose() - expected).norm(), kTolerance * a.a().norm()) << "β " << beta << ", step " << t;
      // U is what of BBᵀ a rank can hold
      const MatrixXd best = best_of_rank(expected, kRank);
      before = metric.factor() * metric.factor().transpose();
      EXPECT_LE((before - best).norm(), kTolerance * a.a().norm()) << "β " << beta << ", step " << t;
      columns = kRank;
    }
  }
}

TEST(Average, IsExactWhileAllLivesInFewDirections) {
  // rows of J move about in four directions, which rank six holds: nothing is ever cut
  constexpr int kD = 15, kM = 4, kRank = 6;
  Random random(5);
  const MatrixXd span = random_matrix(random, 4, kD);
  const double beta = 0.9;
  LoneMetric metric(sketch(kRank, beta), kD, kM);
  MatrixXd expected = MatrixXd::Zero(kD, kD);
  for (int t = 0; t < 60; ++t) {
    DensePullback a(random_matrix(random, kM, 4) * span, random_weight(random, kM));
    ASSERT_TRUE(metric.prepare(a, a.j.transpose() * random_vector(random, kM)));
    expected = beta * beta * expected + (1 - beta * beta) * a.a();
    EXPECT_LE((metric.factor() * metric.factor().transpose() - expected).norm(), kTolerance * expected.norm()) << t;
    EXPECT_NEAR(*metric.geometry.memory.weight, 1 - std::pow(beta, 2 * (t + 1)), 1e-12);
  }
}

TEST(Average, NeverExceedsTheAverageOfTheMatrices) {
  constexpr int kD = 20, kM = 16;
  for (const int rank : {2, 5, 9}) {
    for (const double beta : {0.3, 0.8, 0.98}) {
      Random random(7);
      LoneMetric metric(sketch(rank, beta), kD, kM);
      MatrixXd average = MatrixXd::Zero(kD, kD);
      for (int t = 0; t < 60; ++t) {
        DensePullback a(random_matrix(random, kM, kD), random_weight(random, kM));
        ASSERT_TRUE(metric.prepare(a, random_vector(random, kD)));
        average = beta * beta * average + (1 - beta * beta) * a.a();
        const MatrixXd u = metric.factor();
        EXPECT_LE(largest_eigenvalue(u * u.transpose() - average), kTolerance * average.norm()) << rank << ", " << beta;
      }
    }
  }
}

TEST(Average, KeepsItsColumnsOrthogonalAndSorted) {
  constexpr int kD = 20, kM = 16, kRank = 7;
  Random random(9);
  LoneMetric metric(sketch(kRank, 0.9), kD, kM);
  for (int t = 0; t < 100; ++t) {
    DensePullback a(random_matrix(random, kM, kD), random_weight(random, kM));
    ASSERT_TRUE(metric.prepare(a, random_vector(random, kD)));
    const MatrixXd gram = metric.factor().transpose() * metric.factor();
    const VectorXd sigma2 = metric.strength();
    EXPECT_LE((gram - MatrixXd(sigma2.asDiagonal())).norm(), kTolerance * sigma2[0]) << t;  // UᵀU = diag(σ²)
    for (int i = 1; i < kRank; ++i) EXPECT_LE(sigma2[i], sigma2[i - 1]);
  }
}

TEST(Average, OfAConstantMatrixIsThatMatrix) {
  for (const double beta : {0.0, 0.8, 0.98}) {
    Random random(11);
    DensePullback a(random_matrix(random, 6, 32), random_weight(random, 6));
    LoneMetric metric(sketch(8, beta), 32, 6);
    for (int t = 0; t < 40; ++t) {
      ASSERT_TRUE(metric.prepare(a, a.j.transpose() * random_vector(random, 6)));
      const MatrixXd u = metric.factor() / std::sqrt(*metric.geometry.memory.weight);
      EXPECT_LE((u * u.transpose() - a.a()).norm(), kTolerance * a.a().norm()) << "β " << beta << ", step " << t;
    }
  }
}

TEST(Average, OfFactorsExceedsAConstantMatrixNinetyNineTimes) {
  // rank one: the only probe is the gradient, which does not change. U* = √((1+β)/(1−β)) N
  Random random(13);
  DensePullback a(random_matrix(random, 1, 10), MatrixXd::Constant(1, 1, 0.7));
  const VectorXd gradient = a.j.transpose();
  for (const auto& [beta, ratio] : {std::pair(0.98, 99.0), {0.95, 39.0}, {0.5, 3.0}}) {
    LoneMetric metric({.kind = Metric::literal, .rank = 1, .memory = beta}, 10, 1);
    for (int t = 0; t < 2000; ++t) ASSERT_TRUE(metric.prepare(a, gradient));
    // ε = 1e-8 tr(T) stands in N
    EXPECT_NEAR(metric.factor().squaredNorm() / a.a().trace(), ratio, 2e-8 * ratio) << "β " << beta;
  }
}

TEST(Average, OfFactorsAsThePaperDrawsItsProbesExceedsTheMatrixToo) {
  // gradient and last step persist, six of eight probes are random
  Random random(15);
  DensePullback a(random_matrix(random, 6, 32), MatrixXd::Identity(6, 6));
  const VectorXd gradient = a.j.transpose() * random_vector(random, 6);
  LoneMetric literal({.kind = Metric::literal, .rank = 8}, 32, 6), metric(sketch(8, 0.98), 32, 6);
  const VectorXd previous = random_vector(random, 32).normalized();
  for (LoneMetric* m : {&literal, &metric}) {
    for (int i = 0; i < 32; ++i) m->geometry.memory.previous[i] = previous[i];
    for (int t = 0; t < 600; ++t) {
      ASSERT_TRUE(m->prepare(a, gradient));
      *m->geometry.memory.count += 1;  // fresh signs, as after a correction
    }
  }
  const double factors = literal.factor().squaredNorm() / a.a().trace();
  RecordProperty("trace_of_factors_over_trace_of_A", std::to_string(factors));
  EXPECT_GT(factors, 5);
  EXPECT_NEAR(metric.factor().squaredNorm() / a.a().trace(), 1, 1e-9);
}

}  // namespace
}  // namespace elastane
