// Tests of elastane/core/objective/huber.cpp: derivatives, both regimes, the choice of curvature, missing channels.
#include "elastane/core/objective/huber.h"

#include <array>

#include "elastane/core/objective/gaussian.h"
#include "tests/core/objective/laws.h"

namespace elastane {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const std::array kTarget = {0.5F, -1.0F, 2.0F, 0.25F};
const std::array kNoise = {0.1F, 1.0F, 3.0F, 0.5F};
const Vector kNear = {0.55, -0.5, 1.2, 0.2}, kMixed = {3.0, -0.5, 1.2, -7.0};

TEST(Huber, IsSquaredWithinTheThresholdAndLinearBeyond) {
  const std::array target = {0.0F};
  const Huber objective({.values = target, .noise = 0.5}, 2.0);
  EXPECT_DOUBLE_EQ(objective.value(Vector{0.5}), 0.5);
  EXPECT_DOUBLE_EQ(objective.value(Vector{1.0}), 2.0);
  EXPECT_DOUBLE_EQ(objective.value(Vector{-2.0}), 2.0 * (4.0 - 1.0));
  EXPECT_EQ(gradient_of(objective, {-100.0}), (Vector{-4.0}));
}

TEST(Huber, ObeysTheLaws) {
  for (const Target& target : {Target{.values = kTarget}, Target{.values = kTarget, .noises = kNoise},
                               Target{.values = kTarget, .noise = 0.3, .temperature = 2.0}}) {
    for (const Vector& y : {kNear, kMixed}) {
      const Huber objective(target, 1.0);
      expect_laws(objective, y);
      expect_diagonal_agrees(objective, y);
    }
  }
}

TEST(Huber, IsTheGaussianWhileNothingIsBeyondTheThreshold) {
  const Target target{.values = kTarget, .noises = kNoise, .temperature = 1.5};
  const Gaussian gaussian(target);
  for (const double threshold : {1e3, HUGE_VAL}) {
    const Huber huber(target, threshold);
    EXPECT_NEAR(huber.value(kMixed), gaussian.value(kMixed), 1e-12 * gaussian.value(kMixed));
    expect_near(gradient_of(huber, kMixed), gradient_of(gaussian, kMixed), 1e-10);
    EXPECT_EQ(product_of(huber, kMixed, kNear), product_of(gaussian, kMixed, kNear));
  }
}

TEST(Huber, HasTheWeightOfReweightedLeastSquaresWhichExplainsTheGradient) {
  const Huber objective({.values = kTarget, .noises = kNoise});
  Vector residual = kMixed;
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= kTarget[i];
  const Vector g = gradient_of(objective, kMixed);
  expect_near(product_of(objective, kMixed, residual), g, 1e-12 * largest(g));
}

// a quadratic with this curvature lies above ℓ everywhere, so its minimum never raises ℓ
TEST(Huber, HasACurvatureThatBoundsItFromAbove) {
  const Huber objective({.values = kTarget, .noises = kNoise}, 1.0);
  Random random(3);
  for (int n = 0; n < 1000; ++n) {
    const Vector y = normals(random, 4, 3.0), step = normals(random, 4, 3.0);
    const double model =
        objective.value(y) + dot(gradient_of(objective, y), step) + 0.5 * dot(step, product_of(objective, y, step));
    EXPECT_LE(objective.value(plus(y, 1.0, step)), model + 1e-9 * (1.0 + std::fabs(model)));
  }
}

TEST(Huber, LeavesOutWhatIsMissing) {
  const std::array target = {kNan, 1.0F, 5.0F};
  const std::array<std::uint8_t, 3> present = {1, 1, 0};
  const Huber objective({.values = target, .present = present}, 1.0);
  EXPECT_DOUBLE_EQ(objective.value(Vector{NAN, 1.5, NAN}), 0.125);
  EXPECT_EQ(gradient_of(objective, {NAN, 1.5, NAN}), (Vector{0.0, 0.5, 0.0}));
  expect_diagonal_agrees(objective, {3.0, 7.0, 3.0});
  expect_silent(Huber({std::span(target).first(1)}), {3.0});
}

TEST(Huber, SaysNothingWithoutAPositiveThreshold) {
  for (const double bad : {0.0, -1.0, std::nan("")}) expect_silent(Huber({kTarget}, bad), kMixed);
}

TEST(Huber, StaysFiniteAtExtremes) {
  const std::array target = {1e18F, -1e18F, 1e30F};
  for (const double noise : {1e-300, 1e-9, 1.0, 1e30}) {
    for (const double threshold : {1e-300, 1.0, 1e300}) {
      expect_finite(Huber({.values = target, .noise = noise}, threshold), {-1e18, 1e18, 0.0}, 1e18);
    }
  }
  // an output out of all bounds still pulls with the force of the threshold
  EXPECT_DOUBLE_EQ(gradient_of(Huber({.values = target, .noise = 1e-9}, 1.0), {1e305, 0.0, 0.0})[0], 1e9);
}

}  // namespace
}  // namespace elastane
