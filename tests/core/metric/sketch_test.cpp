// Tests of elastane/core/metric/sketch.cpp: the Nyström sketch of one moment (G2).
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr double kTolerance = 1e-10;

// without memory, so that UUᵀ = NNᵀ
MetricOptions fresh(int rank, std::uint64_t seed = 1) {
  return {.kind = Metric::sketch, .rank = rank, .memory = 0, .seed = seed};
}

// a sketch of rank r of A at random sizes
struct Case {
  Case(std::uint64_t seed, int d, int m, int rank)
      : random(seed),
        pullback(random_matrix(random, m, d), random_weight(random, m)),
        gradient(random_vector(random, d)),
        metric(fresh(rank, seed), d, m),
        prepared(metric.prepare(pullback, gradient)) {}
  MatrixXd a() const { return pullback.a(); }
  MatrixXd sketched() const { return metric.factor() * metric.factor().transpose(); }

  Random random;
  DensePullback pullback;
  VectorXd gradient;
  LoneMetric metric;
  bool prepared;
};

TEST(Nystrom, IsExactOnItsProbes) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const auto& [d, m, rank] : {std::tuple(12, 9, 4), {20, 20, 8}, {9, 30, 9}, {33, 7, 3}, {5, 5, 2}, {7, 3, 1}}) {
      const Case c(seed, d, m, rank);
      ASSERT_TRUE(c.prepared);
      const MatrixXd omega = c.metric.probes();
      ASSERT_LE((omega.transpose() * omega - MatrixXd::Identity(rank, rank)).norm(), 1e-12) << "orthonormal probes";
      EXPECT_LE((c.sketched() * omega - c.a() * omega).norm(), kTolerance * c.a().norm()) << d << ", " << m;
    }
  }
}

TEST(Nystrom, SeesTheGradientAndTheLastStep) {
  Case c(1, 14, 10, 5);
  const VectorXd previous = random_vector(c.random, 14).normalized();
  for (int i = 0; i < 14; ++i) c.metric.geometry.memory.previous[i] = previous[i];
  ASSERT_TRUE(c.metric.prepare(c.pullback, c.gradient));
  for (const VectorXd& q : {c.gradient, previous}) {
    EXPECT_LE((c.sketched() * q - c.a() * q).norm(), kTolerance * c.a().norm() * q.norm());
  }
}

TEST(Nystrom, NeverExceedsTheMatrix) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const auto& [d, m, rank] : {std::tuple(12, 9, 4), {20, 20, 8}, {9, 30, 5}, {33, 7, 12}, {16, 2, 8}}) {
      const Case c(seed, d, m, rank);
      EXPECT_LE(largest_eigenvalue(c.sketched() - c.a()), kTolerance * c.a().norm()) << d << ", " << m << ", " << rank;
    }
  }
}

TEST(Nystrom, IsExactWhereTheRankFits) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const auto& [d, m, rank] :
         {std::tuple(12, 4, 7), {20, 3, 8}, {6, 30, 6}, {33, 7, 12}, {40, 1, 3}, {1, 1, 8}}) {
      const Case c(seed, d, m, rank);
      EXPECT_LE((c.sketched() - c.a()).norm(), kTolerance * c.a().norm()) << d << ", " << m << ", " << rank;
    }
    // as many probes as directions may lie badly to them: rounding grows by ‖(VᵀΩ)⁻¹‖²
    const Case tight(seed, 12, 4, 4);
    const MatrixXd range = range_basis(tight.pullback.j.transpose());
    const MatrixXd seen = inverse(range.transpose() * tight.metric.probes());
    EXPECT_LE((tight.sketched() - tight.a()).norm(), 1e-13 * (1 + seen.squaredNorm()) * tight.a().norm()) << seed;
  }
}

TEST(Nystrom, DoesNotDependOnHowItsProbesAreMixed) {
  // [g, p, random] spans what [g + 2p − 3ω, −p + g + ω, random] does, for any ω among the probes
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Case c(seed, 15, 11, 3), mixed(seed, 15, 11, 3);
    const VectorXd p = random_vector(c.random, 15);
    const auto remember = [](Case& at, const VectorXd& previous) {
      for (int i = 0; i < 15; ++i) at.metric.geometry.memory.previous[i] = previous[i];
    };
    remember(c, p);
    ASSERT_TRUE(c.metric.prepare(c.pullback, c.gradient));
    const VectorXd omega = c.metric.probes().col(2);
    remember(mixed, -p + c.gradient + omega);
    ASSERT_TRUE(mixed.metric.prepare(mixed.pullback, c.gradient + 2 * p - 3 * omega));
    ASSERT_GT((c.metric.probes() - mixed.metric.probes()).norm(), 0.1) << "the same probes prove nothing";
    EXPECT_LE((c.sketched() - mixed.sketched()).norm(), kTolerance * c.a().norm());
  }
}

TEST(Nystrom, OfAFlatMatrixHasTheRankForItsTrace) {
  // A a projector on k directions: r of them are seen, whichever the probes, so the mean is (r/k)A
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const MatrixXd q = random_orthogonal(random, 24).leftCols(12);
    DensePullback flat(q.transpose(), MatrixXd::Identity(12, 12));
    LoneMetric metric(fresh(5, seed), 24, 12);
    ASSERT_TRUE(metric.prepare(flat, random_vector(random, 24)));
    EXPECT_NEAR(metric.factor().squaredNorm(), 5.0, kTolerance);
  }
}

TEST(Nystrom, OfNothingIsNothing) {
  Random random(1);
  DensePullback zero(MatrixXd::Zero(4, 9), MatrixXd::Identity(4, 4));
  LoneMetric metric(fresh(4), 9, 4);
  metric.prepare(zero, random_vector(random, 9));
  EXPECT_EQ(metric.factor().norm(), 0.0);
  EXPECT_EQ(metric.strength().norm(), 0.0);
}

}  // namespace
}  // namespace elastane
