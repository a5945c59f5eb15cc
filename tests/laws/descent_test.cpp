// Tests of elastane/core/corrector/correction_run.cpp: a step no longer than 1/L descends by half of what its slope
// says (G7).
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr int kD = 4, kM = 3;

// φ(t) = ℓ(Retr_z(tv)): the largest curvature over 0 ≤ t ≤ end, in units of ‖v‖²_G = κ
double smoothness(TanhLatent& model, const SquaredError& objective, const Vector& z, const VectorXd& v, double kappa,
                  double end) {
  double largest = 0;
  Vector y(kM), s(kM), at(kD), a(kM), d2(kM);
  const Vector direction(v.data(), v.data() + kD);
  constexpr int kSamples = 64;
  for (int i = 0; i <= kSamples; ++i) {
    for (int j = 0; j < kD; ++j) at[j] = z[j] + end * i / kSamples * direction[j];
    model.linearise(at, y);
    model.jvp({direction.data(), 1, kD}, {a.data(), 1, kM});
    model.second(direction, d2);
    objective.gradient(y, s);
    largest = std::fmax(largest, objective.weight * dot(a, a) + dot(s, d2));  // φ″ = aᵀWa + sᵀD²g[v, v]
  }
  return largest / kappa;
}

TEST(Descent, IsHalfTheSlopeForStepsWithinOneOverL) {
  constexpr double kLambda = 0.05;
  double slowest = 2;  // least of (ℓ − ℓ⁺)/(½ακ)
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    Random random(seed, 1000);
    TanhLatent model(kD, 6, kM, seed, std::exp(random.uniform(-1, 1.5)));
    const SquaredError objective(random_point(random, kM, 2), std::exp(random.uniform(-2, 2)));
    Vector z = random_point(random, kD);

    // v and κ by the book
    const MatrixXd j = jacobian_at(model, z);
    Vector y(kM), s(kM);
    model.linearise(z, y);
    objective.gradient(y, s);
    const MatrixXd g_matrix = kLambda * MatrixXd::Identity(kD, kD) + objective.weight * j.transpose() * j;
    const VectorXd gradient = j.transpose() * as_eigen(s), v = -solve_positive(g_matrix, gradient);
    const double kappa = -gradient.dot(v);

    // the radius for which α = 1/L, with L of the ball that the unit step spans
    const double l = std::fmax(1.0, smoothness(model, objective, z, v, kappa, 1.0));
    const double alpha = random.uniform(0.2, 1) / l;
    const double radius = alpha * std::sqrt(kappa);
    LoneCorrector lone({.metric = {.kind = Metric::exact, .damping = kLambda, .relative = false},
                        .trust = {.radius = radius, .smallest = radius, .largest = radius}},
                       model);
    const StepReport report = lone.correct(model, objective, z);
    if (report.stop == Stop::converged) continue;
    ASSERT_EQ(report.stop, Stop::completed) << "such a step is never refused; seed " << seed;
    ASSERT_EQ(report.trials, 1) << "seed " << seed;
    ASSERT_NEAR(report.kappa, kappa, 1e-9 * kappa);
    ASSERT_NEAR(report.alpha, alpha, 1e-9 * alpha);
    ASSERT_LE(report.loss_after, report.loss_before - 0.5 * report.alpha * kappa + 1e-9 * (1 + report.loss_before))
        << "seed " << seed << ", L " << l;
    slowest = std::fmin(slowest, (report.loss_before - report.loss_after) / (0.5 * report.alpha * kappa));
  }
  RecordProperty("least_of_decrease_over_bound", std::to_string(slowest));
  EXPECT_LT(slowest, 1.1) << "the bound is nearly met somewhere, so it says something";
}

TEST(Descent, HoldsForEveryAcceptedStepOfEveryMetricAndRetraction) {
  // no bound here, but the loss of a moment never rises where that moment alone decides
  for (const Metric metric : {Metric::euclidean, Metric::latent_covariance, Metric::sketch, Metric::fixed,
                              Metric::conjugate_gradient, Metric::exact, Metric::kalman}) {
    for (const Retraction kind : {Retraction::first_order, Retraction::second_order, Retraction::christoffel}) {
      for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Random random(seed, 1000);
        TanhLatent model(6, 10, 5, seed, 2);
        SquaredError objective(random_point(random, 5));
        LoneCorrector lone({.metric = {.kind = metric, .rank = 3}, .retraction = {.kind = kind}, .gate = {.depth = 3}},
                           model);
        Vector z = random_point(random, 6), y(5);
        for (int t = 0; t < 10; ++t) {
          objective.target = random_point(random, 5);
          const StepReport report = lone.correct(model, objective, z);
          ASSERT_LE(report.loss_after, report.loss_before);
          model.output(z, y);
          ASSERT_EQ(y, lone.y) << "the outputs are those of what was committed";
          ASSERT_EQ(objective.value(y), report.loss_after);
        }
      }
    }
  }
}

}  // namespace
}  // namespace elastane
