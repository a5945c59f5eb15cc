// Tests of elastane/core/corrector/trust.h and correction_run.cpp: what is gained over what was predicted (G8, G14), and
// the radius that follows from it.
#include "elastane/core/corrector/trust.h"

#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr double kTolerance = 1e-9;
constexpr double kNoDamping = 1e-13;

class RatioOf : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metric, RatioOf,
                         testing::Values(Metric::euclidean, Metric::fixed, Metric::latent_covariance, Metric::learned,
                                         Metric::sketch, Metric::conjugate_gradient, Metric::exact),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(RatioOf, IsOneForALinearDecoderAndAQuadraticLoss) {
  // also over a rollout, whose own derivatives predict, and whatever its gain
  for (const int horizon : {1, 3, 6}) {
    for (const double gain : {1.0, 0.9, 0.7}) {
      for (const double radius : {0.05, 100.0}) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
          Random random(seed, 1000);
          const RandomLearned learned(random, 9, 3);
          LinearLatent model(9, 5, seed);
          model.f.assign(9, gain);
          const SquaredError objective(random_point(random, 5, 3), 0.5);
          LoneCorrector lone({.metric = {.kind = GetParam(), .damping = kNoDamping, .rank = 4},
                              .trust = {.radius = radius, .largest = 1000, .horizon = horizon}},
                             model, learned.view);
          Vector z = random_point(random, 9);
          const StepReport report = lone.correct(model, objective, z);
          // from the rollout's point of view the gradient of this moment may lead uphill
          if (horizon > 1 && report.stop == Stop::rejected && report.trials == 0) continue;
          ASSERT_EQ(report.stop, Stop::completed) << name(report.stop);
          ASSERT_NEAR(report.ratio, 1, kTolerance) << "H " << horizon << ", gain " << gain << ", ρ " << radius;
          ASSERT_NEAR(report.horizon_before - report.horizon_after, report.predicted, kTolerance * report.predicted);
        }
      }
    }
  }
}

// Σγʰa²ʰ
double sum_of_gains(int horizon, double discount, double gain) {
  double sum = 0;
  for (int h = 0; h < horizon; ++h) sum += std::pow(discount * gain * gain, h);
  return sum;
}

// one step on ½‖Cz‖² with z ← az, where Σγʰℓ_h is Σγʰa²ʰ times ℓ
StepReport step_on_a_bowl(Metric metric, int outputs, double gain, int horizon, double radius,
                          double damping = kNoDamping) {
  LinearLatent model(6, outputs, 3);
  model.f.assign(6, gain);
  const SquaredError objective(Vector(outputs, 0.0));
  LoneCorrector lone({.metric = {.kind = metric, .damping = damping, .rank = 1, .memory = 0},
                      .trust = {.radius = radius, .smallest = 1e-12, .largest = 1000, .horizon = horizon}},
                     model);
  Random random(5);
  Vector z = random_point(random, 6);
  return lone.correct(model, objective, z);
}

TEST(TrustRatio, AsPrintedCountsEveryStepAheadButPredictsOne) {
  // one output and one probe, so that the sketch is exact but for λ and ε = 1e-8, which a short step does not feel
  constexpr double kShort = 2e-4, kDamping = 1e-5;
  for (const auto& [gain, rounded] : {std::pair(1.0, 2.91), {0.9, 2.40}, {0.7, 1.70}}) {
    const StepReport report = step_on_a_bowl(Metric::literal, 1, gain, 3, kShort, kDamping);
    EXPECT_EQ(report.stop, Stop::completed);
    EXPECT_NEAR(report.ratio, sum_of_gains(3, 0.97, gain), kTolerance) << gain;
    EXPECT_NEAR(report.ratio, rounded, 0.005) << gain;
    EXPECT_NEAR(step_on_a_bowl(Metric::literal, 1, gain, 1, kShort, kDamping).ratio, 1, kTolerance) << gain;
  }
}

TEST(TrustRatio, OfTheRolloutsOwnModelIsOne) {
  for (const double gain : {1.0, 0.9, 0.7}) {
    for (const int outputs : {1, 4}) {
      for (const double radius : {1e-2, 100.0}) {
        EXPECT_NEAR(step_on_a_bowl(Metric::exact, outputs, gain, 3, radius).ratio, 1, kTolerance) << gain;
      }
    }
  }
}

TEST(TrustRatio, BelowLowRefusesTheStepAndShrinksTheRadius) {
  // a sharp decoder and a wide radius: the model of the loss is wrong
  TanhLatent model(6, 20, 4, 7, 12.0);
  int rejected = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed, 1000);
    const SquaredError objective(random_point(random, 4));
    LoneCorrector lone({.metric = {.kind = Metric::euclidean}, .trust = {.radius = 8, .trials = 1}}, model);
    Vector z = random_point(random, 6);
    const Vector before = z;
    const StepReport report = lone.correct(model, objective, z);
    if (report.trials == 0) continue;
    if (report.ratio < 0.25 || report.loss_after >= report.loss_before) {
      ASSERT_EQ(report.stop, Stop::rejected);
      ASSERT_EQ(z, before);
      ASSERT_EQ(lone.radius(), 4);
      ++rejected;
    } else {
      ASSERT_EQ(report.stop, Stop::completed);
    }
  }
  EXPECT_GT(rejected, 20);
}

TEST(TrustRatio, IsTriedAtHalfAndQuarterOfTheLength) {
  TanhLatent model(6, 20, 4, 7, 12.0);
  int later = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed, 1000);
    const SquaredError objective(random_point(random, 4));
    Vector z = random_point(random, 6), first_z = z;
    LoneCorrector lone({.metric = {.kind = Metric::euclidean}, .trust = {.radius = 2}}, model);
    const StepReport report = lone.correct(model, objective, z);
    if (report.accepted == 0 || report.trials == 1) continue;
    // a single trial from as many halvings of the radius asks for the same, if the cap decides
    LoneCorrector once({.metric = {.kind = Metric::euclidean}, .trust = {.radius = 2, .trials = 1}}, model);
    const StepReport first = once.correct(model, objective, first_z);
    EXPECT_EQ(first.stop, Stop::rejected);
    EXPECT_EQ(report.alpha, first.alpha * std::pow(0.5, report.trials - 1));
    EXPECT_EQ(lone.radius(), 1.0) << "accepted only when shorter: the radius was too wide";
    ++later;
  }
  EXPECT_GT(later, 10);
}

TEST(Radius, ShrinksGrowsAndStaysBetweenItsBounds) {
  const TrustOptions trust;
  EXPECT_EQ(next_radius(trust, 1.0, false, false, 0.1, true), 0.5);
  EXPECT_EQ(next_radius(trust, 1.0, true, false, 0.9, true), 0.5);
  EXPECT_EQ(next_radius(trust, 1.0, true, true, 0.9, true), 1.5);
  EXPECT_EQ(next_radius(trust, 1.0, true, true, 0.9, false), 1.0) << "where the cap was not met it teaches nothing";
  EXPECT_EQ(next_radius(trust, 1.0, true, true, 0.5, true), 1.0);
  EXPECT_EQ(next_radius(trust, trust.smallest, false, false, 0.1, true), trust.smallest);
  EXPECT_EQ(next_radius(trust, trust.largest, true, true, 0.9, true), trust.largest);
}

TEST(Radius, DecidesTheLengthOnlyWhereTheModelWouldGoFurther) {
  EXPECT_EQ(choose_length(-4, 2, 1, 10).alpha, 2);  // min of −4α + α²
  EXPECT_FALSE(choose_length(-4, 2, 1, 10).capped);
  EXPECT_EQ(choose_length(-4, 2, 5, 1).alpha, 0.2);
  EXPECT_TRUE(choose_length(-4, 2, 5, 1).capped);
  EXPECT_EQ(predicted_decrease(-4, 2, 2), 4);
}

}  // namespace
}  // namespace elastane
