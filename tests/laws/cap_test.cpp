// Tests of elastane/core/corrector/trust.h and correction_run.cpp: a step stays within the radius, measured in the true
// metric (G5).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr int kD = 10, kM = 6, kLearnedRank = 3;

// Δᵀ(λI + JᵀWJ)Δ at z
double true_norm(TanhLatent& model, const SquaredError& objective, double lambda, const Vector& z,
                 const Vector& moved) {
  const VectorXd delta = as_eigen(moved) - as_eigen(z);
  return std::sqrt(lambda * delta.squaredNorm() + objective.weight * (jacobian_at(model, z) * delta).squaredNorm());
}

// a correction towards a random target, and where it began
struct Move {
  Move(LoneCorrector& lone, TanhLatent& model, SquaredError& objective, Random& random, Vector& z)
      : before(z), radius(lone.radius()) {
    objective.target = random_point(random, kM);
    report = lone.correct(model, objective, z);
  }
  Vector before;
  double radius;
  StepReport report;
};

class CapOf : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metric, CapOf,
                         testing::Values(Metric::euclidean, Metric::fixed, Metric::latent_covariance, Metric::learned,
                                         Metric::sketch, Metric::conjugate_gradient, Metric::exact),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(CapOf, HoldsInTheTrueMetric) {
  int accepted = 0, at_the_cap = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed, 1000);
    const RandomLearned learned(random, kD, kLearnedRank);
    TanhLatent model(kD, 12, kM, seed, random.uniform(0.5, 3));
    SquaredError objective(random_point(random, kM), std::exp(random.uniform(-2, 4)));
    LoneCorrector lone({.metric = {.kind = GetParam(), .rank = 4, .warm_up = 3},
                        .trust = {.radius = std::exp(random.uniform(-4, 1)), .largest = 100}},
                       model, learned.view);
    Vector z = random_point(random, kD);
    for (int t = 0; t < 8; ++t) {
      const Move move(lone, model, objective, random, z);
      ASSERT_LE(move.report.length, move.radius * (1 + 1e-9));
      if (move.report.accepted == 0) continue;
      const double length = true_norm(model, objective, lone.corrector.geometry().base_damping(), move.before, z);
      ASSERT_LE(length, move.radius * (1 + 1e-9)) << "seed " << seed << ", step " << t;
      ASSERT_NEAR(length, move.report.length, 1e-9 * length) << "seed " << seed << ", step " << t;
      ++accepted;
      at_the_cap += length > move.radius * (1 - 1e-9) ? 1 : 0;
    }
  }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(at_the_cap, 30) << "where the cap is never met nothing is shown";
}

TEST(CapAsPrinted, HoldsInTheSketchedMetricOnly) {
  std::vector<double> ratios;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed, 1000);
    TanhLatent model(kD, 12, kM, seed, random.uniform(0.5, 3));
    SquaredError objective(random_point(random, kM));
    LoneCorrector lone({.metric = {.kind = Metric::literal, .rank = 4}}, model);
    Vector z = random_point(random, kD);
    for (int t = 0; t < 8; ++t) {
      const Move move(lone, model, objective, random, z);
      const double sketched = move.report.alpha * std::sqrt(move.report.kappa);
      ASSERT_LE(sketched, move.radius * (1 + 1e-9));
      if (move.report.accepted == 0) continue;
      ratios.push_back(true_norm(model, objective, 1e-3, move.before, z) / sketched);
    }
  }
  ASSERT_GT(ratios.size(), 50U);
  std::sort(ratios.begin(), ratios.end());
  RecordProperty("true_over_sketched_median", std::to_string(ratios[ratios.size() / 2]));
  RecordProperty("true_over_sketched_largest", std::to_string(ratios.back()));
  EXPECT_GT(ratios.back(), 2) << "docs/science.md §1.7 and §1.9: λ = 1e-3 is too small for a sketch";
}

}  // namespace
}  // namespace elastane
