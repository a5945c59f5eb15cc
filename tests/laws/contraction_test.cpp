// Tests of elastane/core/corrector/correction_run.cpp: a correction helps a contraction towards the same point, and a
// push that is only bounded need not (G10).
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr int kD = 5, kM = 8;
constexpr double kLambda = 0.3;

MetricOptions exact() { return {.kind = Metric::exact, .damping = kLambda, .relative = false}; }

MatrixXd decoder(const LinearLatent& model) {
  return Eigen::Map<const MatrixXd>(model.c.data(), model.latents(), model.outputs()).transpose();
}

TEST(Contraction, OfTheModelIsHelpedByACorrectionTowardsTheSamePoint) {
  // V = ‖z‖²_G: the model multiplies it by 1 − μ, a correction by no more than 1 − αμ_ℓ
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const double mu : {0.05, 0.3}) {
      for (const double radius : {0.2, 1e6}) {
        LinearLatent model(kD, kM, seed);
        const SquaredError objective(Vector(kM, 0.0));
        const MatrixXd c = decoder(model), a = c.transpose() * c;
        const MatrixXd g_matrix = kLambda * MatrixXd::Identity(kD, kD) + a;
        const double weakest = smallest_eigenvalue(a), convexity = weakest / (kLambda + weakest);  // μ_ℓ in the G-norm
        LoneCorrector lone({.metric = exact(), .trust = {.radius = radius, .largest = 1e6}}, model);
        Random random(seed, 1000);
        Vector z = random_point(random, kD, 3);
        int steps = 0;
        for (int t = 0; t < 60; ++t) {
          const double before = as_eigen(z).dot(g_matrix * as_eigen(z));
          for (double& value : z) value *= std::sqrt(1 - mu);  // f
          const StepReport report = lone.correct(model, objective, z);
          if (report.stop == Stop::converged) break;
          ASSERT_EQ(report.stop, Stop::completed);
          const double after = as_eigen(z).dot(g_matrix * as_eigen(z));
          ASSERT_LE(report.alpha, 1 + 1e-9);
          ASSERT_LE(after, (1 - mu) * (1 - report.alpha * convexity) * before * (1 + 1e-12)) << "step " << t;
          ++steps;
        }
        EXPECT_GT(steps, 3);
      }
    }
  }
}

// ℓ = −tᵀy, which has no minimum, given a curvature nonetheless
class Push final : public Objective {
 public:
  explicit Push(Vector towards) : towards_(std::move(towards)) {}
  double value(std::span<const double> y) const override { return -dot(towards_, y); }
  void gradient(std::span<const double>, std::span<double> gradient) const override {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = -towards_[i];
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    for (int r = 0; r < u.count; ++r) {
      for (std::size_t i = 0; i < y.size(); ++i) wu[r][i] = u[r][i];
    }
  }

 private:
  Vector towards_;
};

TEST(Contraction, IsNotKeptByABoundOnTheStepAlone) {
  // a push of constant length ρ: V settles at ρ²/(1 − √(1−μ))², about 4ρ²/μ², not near ρ³/μ
  for (const auto& [mu, rho] : {std::pair(0.1, 0.1), {0.05, 0.1}, {0.2, 0.5}}) {
    LinearLatent model(kD, kM, 3);
    Random random(5);
    const Push objective(random_point(random, kM, 10));
    const MatrixXd c = decoder(model);
    const MatrixXd g_matrix = kLambda * MatrixXd::Identity(kD, kD) + c.transpose() * c;
    LoneCorrector lone({.metric = exact(), .trust = {.radius = rho, .grow = 1}}, model);
    Vector z = random_point(random, kD);
    const auto v_of = [&] { return as_eigen(z).dot(g_matrix * as_eigen(z)); };
    for (int t = 0; t < 1000; ++t) {
      for (double& value : z) value *= std::sqrt(1 - mu);
      const Vector before = z;
      ASSERT_EQ(lone.correct(model, objective, z).stop, Stop::completed);
      const VectorXd delta = as_eigen(z) - as_eigen(before);
      ASSERT_NEAR(std::sqrt(delta.dot(g_matrix * delta)), rho, 1e-9 * rho);
    }
    const double settled = rho * rho / std::pow(1 - std::sqrt(1 - mu), 2);
    EXPECT_NEAR(v_of(), settled, 1e-9 * settled);
    EXPECT_NEAR(v_of(), 4 * rho * rho / (mu * mu), 0.12 * settled);
    EXPECT_GT(v_of(), 10 * rho * rho * rho / mu);
    if (mu == 0.1) {
      EXPECT_NEAR(v_of(), 3.8, 0.01);
    }
  }
}

}  // namespace
}  // namespace elastane
