// Tests of elastane/core/objective/gaussian.cpp and target.h: derivatives, missing channels, noise, extreme values.
#include "elastane/core/objective/gaussian.h"

#include <array>
#include <cfloat>

#include "elastane/core/math/kernels.h"
#include "tests/core/objective/laws.h"

namespace elastane {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

const std::array kTarget = {0.5F, -1.0F, 2.0F, 0.25F};
const std::array kNoise = {0.1F, 1.0F, 3.0F, 0.5F};
const Vector kOutput = {0.7, -0.5, -4.0, 0.2};

TEST(Gaussian, IsHalfTheSquaredDistanceInUnitsOfTheNoise) {
  const std::array target = {1.0F, 2.0F};
  EXPECT_DOUBLE_EQ(Gaussian({target}).value(Vector{2.0, 4.0}), 2.5);
  EXPECT_DOUBLE_EQ(Gaussian({.values = target, .noise = 0.5}).value(Vector{2.0, 4.0}), 10.0);
  const std::array noises = {0.5F, 2.0F};
  EXPECT_DOUBLE_EQ(Gaussian({.values = target, .noises = noises}).value(Vector{2.0, 4.0}), 2.5);
  EXPECT_DOUBLE_EQ(Gaussian({.values = target, .temperature = 5.0}).value(Vector{2.0, 4.0}), 0.5);
}

TEST(Gaussian, ObeysTheLawsAndItsCurvatureIsTheHessian) {
  for (const Target& target :
       {Target{.values = kTarget}, Target{.values = kTarget, .noises = kNoise},
        Target{.values = kTarget, .noise = 0.3, .temperature = 2.0}, Target{.values = std::span(kTarget).first(2)}}) {
    const Gaussian objective(target);
    expect_laws(objective, kOutput);
    expect_curvature_is_hessian(objective, kOutput);
    expect_diagonal_agrees(objective, kOutput);
  }
}

TEST(Gaussian, DividesTheWeightByTheTemperature) {
  const Gaussian cold({.values = kTarget, .noises = kNoise}),
      warm({.values = kTarget, .noises = kNoise, .temperature = 4.0});
  EXPECT_NEAR(warm.value(kOutput), cold.value(kOutput) / 4.0, 1e-12);
  expect_near(gradient_of(warm, kOutput), plus(Vector(4), 0.25, gradient_of(cold, kOutput)), 1e-12);
  expect_near(product_of(warm, kOutput, kOutput), plus(Vector(4), 0.25, product_of(cold, kOutput, kOutput)), 1e-12);
}

TEST(Gaussian, LagsAndAcceleratesAsFlatSpaceDoes) {
  const Gaussian objective({.values = kTarget, .noises = kNoise});
  Random random(1);
  const Vector moved = normals(random, 4), u = normals(random, 4), a = normals(random, 4);
  expect_near(lag_of(objective, kOutput, moved, u),
              product_of(objective, kOutput, plus(plus(moved, -1.0, kOutput), -1.0, u)), 1e-12);
  expect_near(acceleration_of(objective, kOutput, u, a), product_of(objective, kOutput, a), 0.0);
}

TEST(Gaussian, LeavesOutWhatTheMaskHides) {
  const std::array<std::uint8_t, 4> present = {1, 0, 1, 0};
  const Gaussian masked({.values = kTarget, .present = present});
  EXPECT_FALSE(masked.empty());
  EXPECT_DOUBLE_EQ(masked.value(kOutput), 0.5 * (0.2 * 0.2 + 36.0));
  const Vector g = gradient_of(masked, kOutput);
  EXPECT_EQ(g[1], 0.0);
  EXPECT_EQ(g[3], 0.0);
  EXPECT_NE(g[0], 0.0);
  expect_diagonal_agrees(masked, kOutput);
}

TEST(Gaussian, TakesChannelsBeyondTheMaskAsPresentAndBeyondTheTargetAsMissing) {
  const std::array<std::uint8_t, 1> present = {0};
  Vector w(5);
  EXPECT_TRUE(Gaussian({.values = kTarget, .present = present}).diagonal(Vector(5), w));
  EXPECT_EQ(w, (Vector{0, 1, 1, 1, 0}));
}

TEST(Gaussian, TakesChannelsBeyondTheNoisesAsTheOneNoise) {
  Vector w(4);
  const std::array noises = {1.0F};
  EXPECT_TRUE(Gaussian({.values = kTarget, .noises = noises, .noise = 0.5}).diagonal(kOutput, w));
  EXPECT_EQ(w, (Vector{1, 4, 4, 4}));
}

TEST(Gaussian, TakesWhatIsNotFiniteOrBeyondTheLimitAsMissing) {
  EXPECT_EQ(kLargestTarget, kStateLimit);  // as for the inputs of a step
  for (const float bad : {kNan, kInfinity, -kInfinity, 1e30F, -1e30F, 1.1e18F, FLT_MAX}) {
    const std::array target = {bad, 1.0F};
    const Gaussian objective({target});
    EXPECT_FALSE(objective.empty());
    EXPECT_DOUBLE_EQ(objective.value(Vector{3.0, 2.0}), 0.5) << bad;
    EXPECT_EQ(gradient_of(objective, {3.0, 2.0}), (Vector{0.0, 1.0})) << bad;
    expect_silent(Gaussian({std::span(target).first(1)}), {3.0, 2.0});
  }
}

TEST(Gaussian, TakesAChannelWithoutAPositiveFiniteVarianceAsMissing) {
  const std::array target = {1.0F};
  for (const double bad : {0.0, -1.0, HUGE_VAL, -HUGE_VAL, std::nan(""), 1e200}) {
    expect_silent(Gaussian({.values = target, .noise = bad}), {3.0});
  }
  for (const double bad : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    expect_silent(Gaussian({.values = target, .temperature = bad}), {3.0});
  }
}

TEST(Gaussian, SaysNothingWithoutAnyChannel) {
  expect_silent(Gaussian(Target{}), {1.0, 2.0});
  const std::array<std::uint8_t, 4> present = {0, 0, 0, 0};
  expect_silent(Gaussian({.values = kTarget, .present = present}), kOutput);
  EXPECT_EQ(Gaussian({kTarget}).value({}), 0.0);
}

TEST(Gaussian, LeavesOutAnOutputThatIsNotFiniteWhereTheTargetIsMissing) {
  const std::array target = {kNan, 1.0F};
  const Gaussian objective({target});
  EXPECT_DOUBLE_EQ(objective.value(Vector{NAN, 2.0}), 0.5);
  EXPECT_EQ(gradient_of(objective, {HUGE_VAL, 2.0}), (Vector{0.0, 1.0}));
  EXPECT_EQ(product_of(objective, {0.0, 0.0}, {HUGE_VAL, 2.0}), (Vector{0.0, 2.0}));
}

TEST(Gaussian, StaysFiniteAtExtremes) {
  for (const double noise : {1e-300, 1e-30, 1e-9, 1.0, 1e30}) {
    for (const double temperature : {1e-300, 1e-12, 1.0, 1e30}) {
      for (const float target : {1e18F, -1e18F, 1e-45F, 0.0F}) {
        const std::array values = {target};
        expect_finite(Gaussian({.values = values, .noise = noise, .temperature = temperature}), {1e18}, 1e18);
      }
    }
  }
}

}  // namespace
}  // namespace elastane
