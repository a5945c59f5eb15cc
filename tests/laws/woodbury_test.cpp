// Tests of elastane/core/metric/sketch.cpp and literal.cpp: solves by a factor against dense ones (G4).
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr double kTolerance = 1e-10;  // times the condition of G

// G and v = −G⁻¹g, held against each other
void expect_solved(const MatrixXd& g_matrix, const VectorXd& gradient, const VectorXd& v, const char* what) {
  const double condition = largest_eigenvalue(g_matrix) / smallest_eigenvalue(g_matrix);
  const VectorXd expected = -solve_positive(g_matrix, gradient);
  EXPECT_LE((v - expected).norm(), kTolerance * condition * expected.norm()) << what;
  // ‖v‖²_G = −gᵀv
  EXPECT_NEAR(v.dot(g_matrix * v), -gradient.dot(v), kTolerance * condition * std::fabs(gradient.dot(v))) << what;
}

TEST(Woodbury, OfASketchIsTheDenseSolve) {
  for (const auto& [d, m, rank] : {std::tuple(12, 9, 4), {20, 20, 8}, {9, 30, 9}, {33, 7, 12}, {40, 1, 1}, {1, 1, 1}}) {
    for (const double memory : {0.0, 0.8, 0.98}) {
      for (const double limit : {10.0, 1e4}) {
        Random random(static_cast<std::uint64_t>(d * 100 + rank));
        LoneMetric metric({.kind = Metric::sketch, .rank = rank, .memory = memory, .condition_limit = limit}, d, m);
        for (int t = 0; t < 20; ++t) {
          DensePullback a(random_matrix(random, m, d), random_weight(random, m));
          const VectorXd s = random_vector(random, m), gradient = a.j.transpose() * s;
          ASSERT_TRUE(metric.prepare(a, gradient));
          const VectorXd v = metric.solve(a, s);
          const MatrixXd u = metric.factor() / std::sqrt(*metric.geometry.memory.weight);
          const double lambda = metric.geometry.damping();
          expect_solved(lambda * MatrixXd::Identity(d, d) + u * u.transpose(), gradient, v, "sketch");
        }
      }
    }
  }
}

TEST(Woodbury, OfFactorsAsPrintedIsTheDenseSolve) {
  for (const auto& [d, m, rank] : {std::tuple(12, 9, 4), {20, 20, 8}, {9, 30, 9}, {33, 7, 12}, {40, 1, 1}, {1, 1, 1}}) {
    for (const double lambda : {1e-3, 1e-1}) {
      Random random(static_cast<std::uint64_t>(d * 100 + rank));
      LoneMetric metric({.kind = Metric::literal, .damping = lambda, .rank = rank}, d, m);
      for (int t = 0; t < 20; ++t) {
        DensePullback a(random_matrix(random, m, d), random_weight(random, m));
        const VectorXd s = random_vector(random, m), gradient = a.j.transpose() * s;
        ASSERT_TRUE(metric.prepare(a, gradient));
        const VectorXd v = metric.solve(a, s);
        const MatrixXd u = metric.factor();
        const MatrixXd g_matrix = lambda * MatrixXd::Identity(d, d) + u * u.transpose();
        expect_solved(g_matrix, gradient, v, "literal");
        EXPECT_EQ(metric.geometry.damping(), lambda) << "as given, whatever the scale of A";
        EXPECT_NEAR(metric.geometry.condition(), 1 + largest_eigenvalue(u * u.transpose()) / lambda,
                    1e-9 * metric.geometry.condition());
        // Uᵀv = −y with y = (λI + UᵀU)⁻¹Uᵀg, and ‖v‖²_G = λ‖v‖² + ‖y‖²
        const int r = static_cast<int>(u.cols());
        const VectorXd y =
            solve_positive(lambda * MatrixXd::Identity(r, r) + u.transpose() * u, u.transpose() * gradient);
        const double bound = kTolerance * metric.geometry.condition();
        EXPECT_LE((u.transpose() * v + y).norm(), bound * (1 + y.norm()));
        EXPECT_NEAR(lambda * v.squaredNorm() + y.squaredNorm(), -gradient.dot(v), bound * std::fabs(gradient.dot(v)));
      }
    }
  }
}

TEST(Woodbury, OfALearnedMetricIsTheDenseSolve) {
  for (const auto& [d, rank] : {std::pair(12, 4), {9, 9}, {33, 12}, {5, 1}, {6, 0}}) {
    Random random(static_cast<std::uint64_t>(d));
    const RandomLearned learned(random, d, rank);
    LoneMetric metric({.kind = Metric::learned}, d, 3, learned.view);
    const MatrixXd l = as_eigen(learned.view.factor, d);
    const MatrixXd g_matrix = MatrixXd(as_eigen(learned.diagonal).asDiagonal()) + l * l.transpose();
    DensePullback a(random_matrix(random, 3, d), random_weight(random, 3));
    for (int t = 0; t < 20; ++t) {
      const VectorXd s = random_vector(random, 3), gradient = a.j.transpose() * s;
      ASSERT_TRUE(metric.prepare(a, gradient));
      expect_solved(g_matrix, gradient, metric.solve(a, s), "learned");
    }
  }
}

TEST(ExactSolve, IsTheDenseSolveInEitherSpaceAndForAnyWeight) {
  for (const auto& [d, m] : {std::pair(12, 5), {5, 12}, {8, 8}, {30, 1}, {1, 30}, {17, 16}}) {
    for (const bool diagonal : {true, false}) {
      for (const double lambda : {1e-6, 1e-3, 10.0}) {
        for (const bool relative : {true, false}) {
          Random random(static_cast<std::uint64_t>(d * 100 + m));
          LoneMetric metric({.kind = Metric::exact, .damping = lambda, .relative = relative}, d, m);
          MatrixXd w = random_weight(random, m);
          if (diagonal) w = MatrixXd(w.diagonal().asDiagonal());
          DensePullback a(random_matrix(random, m, d), w);
          const VectorXd s = random_vector(random, m), gradient = a.j.transpose() * s;
          ASSERT_TRUE(metric.prepare(a, gradient));
          const double damping = relative ? lambda * a.a().trace() / d : lambda;
          EXPECT_NEAR(metric.geometry.damping(), damping, 1e-12 * damping);
          const MatrixXd g_matrix = damping * MatrixXd::Identity(d, d) + a.a();
          expect_solved(g_matrix, gradient, metric.solve(a, s), "exact");
          EXPECT_LE(largest_eigenvalue(g_matrix) / smallest_eigenvalue(g_matrix),
                    metric.geometry.condition() * (1 + 1e-6));
        }
      }
    }
  }
}

TEST(ConjugateGradients, AreTheDenseSolveAfterAsManyProductsAsThereAreDirections) {
  for (const auto& [d, m] : {std::pair(12, 5), {5, 12}, {8, 8}, {30, 1}}) {
    Random random(static_cast<std::uint64_t>(d * 100 + m));
    LoneMetric metric({.kind = Metric::conjugate_gradient, .damping = 0.5, .relative = false, .products = 40}, d, m);
    DensePullback a(random_matrix(random, m, d), random_weight(random, m));
    const VectorXd s = random_vector(random, m), gradient = a.j.transpose() * s;
    ASSERT_TRUE(metric.prepare(a, gradient));
    expect_solved(0.5 * MatrixXd::Identity(d, d) + a.a(), gradient, metric.solve(a, s), "conjugate gradients");
  }
}

TEST(ConjugateGradients, DescendWithEveryProduct) {
  // ½vᵀGv + gᵀv falls, whatever k; and κ = −gᵀv = ‖v‖²_G holds for every k
  Random random(3);
  DensePullback a(random_matrix(random, 9, 14), random_weight(random, 9));
  const VectorXd s = random_vector(random, 9), gradient = a.j.transpose() * s;
  const MatrixXd g_matrix = 0.1 * MatrixXd::Identity(14, 14) + a.a();
  double before = 0;
  for (int k = 1; k <= 9; ++k) {
    LoneMetric metric({.kind = Metric::conjugate_gradient, .damping = 0.1, .relative = false, .products = k}, 14, 9);
    ASSERT_TRUE(metric.prepare(a, gradient));
    const VectorXd v = metric.solve(a, s);
    const double value = 0.5 * v.dot(g_matrix * v) + gradient.dot(v);
    EXPECT_LT(value, before) << k;
    EXPECT_NEAR(v.dot(g_matrix * v), -gradient.dot(v), 1e-9 * -gradient.dot(v)) << k;
    before = value;
  }
}

}  // namespace
}  // namespace elastane
