// Tests of elastane/core/objective/categorical.cpp: derivatives, the flat embedding, extreme logits, odd targets.
#include "elastane/core/objective/categorical.h"

#include <array>

#include "tests/core/objective/laws.h"

namespace elastane {
namespace {

const Vector kLogits = {0.3, -1.2, 2.0, 0.0, -0.4};

// the embedding as the header has it, written out
Vector softmax(const Vector& y, double temperature) {
  Vector p;
  double total = 0.0;
  for (const double v : y) p.push_back(std::exp(v / temperature)), total += p.back();
  for (double& v : p) v /= total;
  return p;
}

Vector embedding(const Vector& y, double temperature) {
  Vector e = softmax(y, temperature);
  for (double& v : e) v = 2.0 * std::sqrt(v);
  return e;
}

Vector pushed(const Vector& y, double temperature, const Vector& u) {  // E u
  const Vector p = softmax(y, temperature);
  const double mean = dot(p, u);
  Vector out(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) out[i] = std::sqrt(p[i]) * (u[i] - mean) / temperature;
  return out;
}

Vector pulled(const Vector& y, double temperature, const Vector& w) {  // Eᵀw
  const Vector p = softmax(y, temperature);
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += std::sqrt(p[i]) * w[i];
  Vector out(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) out[i] = (std::sqrt(p[i]) * w[i] - p[i] * sum) / temperature;
  return out;
}

class CategoricalAt : public testing::TestWithParam<double> {
 protected:
  const double temperature = GetParam();
  const Categorical objective{{.label = 1, .classes = 5, .temperature = temperature}};
  Random random{7};
};

INSTANTIATE_TEST_SUITE_P(Temperature, CategoricalAt, testing::Values(0.5, 1.0, 3.0));

TEST_P(CategoricalAt, IsTheSurpriseAtTheLabel) {
  EXPECT_NEAR(objective.value(kLogits), -std::log(softmax(kLogits, temperature)[1]), 1e-12);
}

TEST_P(CategoricalAt, ObeysTheLawsAndItsCurvatureIsTheHessian) {
  for (int n = 0; n < 5; ++n) {
    const Vector y = normals(random, 5, 2.0);
    expect_laws(objective, y);
    expect_curvature_is_hessian(objective, y);
  }
}

TEST_P(CategoricalAt, HasAnEmbeddingWhoseJacobianIsE) {
  const Vector u = normals(random, 5);
  constexpr double kStep = 1e-5;
  const Vector slope =
      plus(embedding(plus(kLogits, kStep, u), temperature), -1.0, embedding(plus(kLogits, -kStep, u), temperature));
  expect_near(pushed(kLogits, temperature, u), plus(Vector(5), 0.5 / kStep, slope), 1e-8);
}

TEST_P(CategoricalAt, HasAnEmbeddingInWhichItsCurvatureIsFlat) {
  for (int n = 0; n < 20; ++n) {
    const Vector y = normals(random, 5, 2.0), u = normals(random, 5), w = normals(random, 5);
    expect_near(pulled(y, temperature, pushed(y, temperature, u)), product_of(objective, y, u), 1e-12);
    EXPECT_NEAR(dot(pushed(y, temperature, u), w), dot(u, pulled(y, temperature, w)), 1e-12);
  }
}

TEST_P(CategoricalAt, LagsByWhatTheEmbeddingMovedBeyondItsTangent) {
  for (int n = 0; n < 20; ++n) {
    const Vector y = normals(random, 5), moved = normals(random, 5), u = normals(random, 5);
    Vector w = plus(embedding(moved, temperature), -1.0, embedding(y, temperature));
    w = plus(w, -1.0, pushed(y, temperature, u));
    expect_near(lag_of(objective, y, moved, u), pulled(y, temperature, w), 1e-12);
  }
}

TEST_P(CategoricalAt, AcceleratesByTheSecondDerivativeOfTheEmbedding) {
  for (int n = 0; n < 20; ++n) {
    const Vector y = normals(random, 5), u = normals(random, 5), a = normals(random, 5);
    // the second derivative along the path y + tu + ½t²a is E a + D²e[u, u]
    constexpr double kStep = 1e-3;
    const auto path = [&](double t) { return embedding(plus(plus(y, t, u), 0.5 * t * t, a), temperature); };
    Vector second = plus(plus(path(kStep), 1.0, path(-kStep)), -2.0, path(0.0));
    second = plus(Vector(5), 1.0 / (kStep * kStep), second);
    const Vector exact = acceleration_of(objective, y, u, a);
    expect_near(exact, pulled(y, temperature, second), 1e-4 * (1.0 + largest(exact)));
  }
}

TEST_P(CategoricalAt, LagsByHalfTheAccelerationUpToThirdOrder) {
  const Vector y = normals(random, 5), u = normals(random, 5), a = normals(random, 5);
  double previous = 0.0;
  for (const double t : {0.04, 0.02, 0.01, 0.005}) {
    const Vector step = plus(Vector(5), t, u), bend = plus(Vector(5), t * t, a);
    const Vector lag = lag_of(objective, y, plus(plus(y, 1.0, step), 0.5, bend), step);
    const Vector half = plus(Vector(5), 0.5, acceleration_of(objective, y, step, bend));
    const double error = largest(plus(lag, -1.0, half));
    if (previous > 0.0) {
      EXPECT_NEAR(std::log2(previous / error), 3.0, 0.2) << t;
    }
    previous = error;
  }
}

TEST_P(CategoricalAt, DoesNotSeeAShiftOfAllLogits) {
  const Vector shifted = plus(kLogits, 100.0, Vector(5, 1.0));
  EXPECT_NEAR(objective.value(shifted), objective.value(kLogits), 1e-10);
  expect_near(gradient_of(objective, shifted), gradient_of(objective, kLogits), 1e-10);
  expect_near(product_of(objective, kLogits, Vector(5, 1.0)), Vector(5), 1e-12);
}

TEST(Categorical, TakesSharesAsItTakesALabel) {
  const std::array<float, 5> shares = {0, 1, 0, 0, 0};
  const Categorical label({.label = 1, .classes = 5}), share({.probabilities = shares});
  EXPECT_EQ(label.value(kLogits), share.value(kLogits));
  EXPECT_EQ(gradient_of(label, kLogits), gradient_of(share, kLogits));
}

TEST(Categorical, TakesSharesThatDoNotSumToOne) {
  const std::array<float, 5> shares = {1, 2, 0, 4, 1}, halves = {0.5, 1, 0, 2, 0.5};
  const Categorical objective({.probabilities = shares});
  expect_laws(objective, kLogits);
  expect_curvature_is_hessian(objective, kLogits);
  EXPECT_DOUBLE_EQ(objective.value(kLogits), Categorical({.probabilities = halves}).value(kLogits));
}

TEST(Categorical, HasNoSlopeWhereItsSharesComeOut) {
  const std::array<float, 2> shares = {0.25, 0.75};
  const Vector y = {0.0, std::log(3.0)};
  expect_near(gradient_of(Categorical({.probabilities = shares}), y), {0.0, 0.0}, 1e-12);
}

TEST(Categorical, LeavesOutputsBeyondTheClassesAlone) {
  const Categorical whole({.label = 1, .classes = 5}), part({.label = 1, .classes = 3});
  const Vector first(kLogits.begin(), kLogits.begin() + 3), u = {1, 2, 3, 4, 5};
  EXPECT_EQ(part.value(kLogits), part.value(first));
  EXPECT_NE(part.value(kLogits), whole.value(kLogits));
  expect_laws(part, kLogits);
  for (const Vector& v : {gradient_of(part, kLogits), product_of(part, kLogits, u), lag_of(part, kLogits, u, u),
                          acceleration_of(part, kLogits, u, u)}) {
    EXPECT_NE(v[0], 0.0);
    EXPECT_EQ(v[3], 0.0);
    EXPECT_EQ(v[4], 0.0);
  }
}

TEST(Categorical, SaysNothingWithoutAClass) {
  constexpr int kMost = std::numeric_limits<int>::max(), kLeast = std::numeric_limits<int>::min();
  for (const int label : {-1, 5, kMost, kLeast}) expect_silent(Categorical({.label = label, .classes = 5}), kLogits);
  for (const int classes : {0, -5, kLeast}) expect_silent(Categorical({.label = 0, .classes = classes}), kLogits);
  expect_silent(Categorical(CategoricalTarget{}), kLogits);
  for (const double bad : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    expect_silent(Categorical({.label = 1, .classes = 5, .temperature = bad}), kLogits);
  }
  const std::array<float, 4> shares = {0.0F, -1.0F, NAN, INFINITY};
  expect_silent(Categorical({.probabilities = shares}), kLogits);
}

TEST(Categorical, SaysNothingAboutTooFewOutputs) {
  const Categorical objective({.label = 1, .classes = 5});
  EXPECT_EQ(objective.value(Vector{1.0, 2.0}), 0.0);
  EXPECT_EQ(gradient_of(objective, {1.0, 2.0}), (Vector{0.0, 0.0}));
  EXPECT_EQ(product_of(objective, {1.0, 2.0}, {1.0, 2.0}), (Vector{0.0, 0.0}));
  EXPECT_EQ(lag_of(objective, {1.0, 2.0}, {1.0, 2.0}, {1.0, 2.0}), (Vector{0.0, 0.0}));
  EXPECT_EQ(acceleration_of(objective, {1.0, 2.0}, {1.0, 2.0}, {1.0, 2.0}), (Vector{0.0, 0.0}));
}

TEST(Categorical, CountsInvalidSharesAsZero) {
  const std::array<float, 5> odd = {NAN, 2.0F, -1.0F, INFINITY, 1e30F}, plain = {0, 2, 0, 0, 0};
  EXPECT_EQ(Categorical({.probabilities = odd}).value(kLogits), Categorical({.probabilities = plain}).value(kLogits));
}

TEST(Categorical, StaysFiniteForExtremeLogits) {
  for (const Vector& y : {Vector{1e4, -1e4, 0.0}, Vector{-1e18, -1e18, -1e18}, Vector{1e18, 1e18, -1e18},
                          Vector{1e-310, 0.0, 1e-310}, Vector{1e30, 0.0, -1e30}}) {
    for (const double temperature : {1e-300, 1.0, 1e30}) {
      expect_finite(Categorical({.label = 1, .classes = 3, .temperature = temperature}), y, 1e6);
    }
  }
  const Categorical objective({.label = 1, .classes = 3});
  EXPECT_EQ(objective.value(Vector{1e4, -1e4, 0.0}), 2e4);
  EXPECT_EQ(gradient_of(objective, {1e4, -1e4, 0.0}), (Vector{1.0, -1.0, 0.0}));
}

}  // namespace
}  // namespace elastane
