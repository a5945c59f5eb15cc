// Tests of elastane/core/objective/weighted_sum.cpp: linearity in the terms, horizons, products in place, bounds.
#include "elastane/core/objective/weighted_sum.h"

#include <array>

#include "elastane/core/objective/categorical.h"
#include "elastane/core/objective/gaussian.h"
#include "elastane/core/objective/huber.h"
#include "tests/core/objective/laws.h"

namespace elastane {
namespace {

const std::array kTarget = {0.5F, -1.0F, 2.0F, 0.25F};
const Vector kOutput = {0.7, -0.5, -4.0, 0.2};
const Gaussian kGaussian({.values = kTarget, .noise = 0.5});
const Huber kHuber({kTarget}, 1.0);
const Categorical kCategorical({.label = 2, .classes = 4});

// pulls y₀ to h, h steps ahead; beyond the first step it is there at all
class Ramp final : public Objective {
 public:
  explicit Ramp(bool first = true) {
    for (int h = 0; h <= 20; ++h) steps_[h].h = h, steps_[h].none = h == 0 && !first;
  }
  double value(std::span<const double> y) const override { return steps_[0].value(y); }
  void gradient(std::span<const double> y, std::span<double> g) const override { steps_[0].gradient(y, g); }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    steps_[0].gauss_newton(y, u, wu);
  }
  const Objective& at(int h) const override { return steps_[h]; }
  bool empty() const override { return steps_[0].none; }

 private:
  struct Step final : Objective {
    int h = 0;
    bool none = false;
    double value(std::span<const double> y) const override { return 0.5 * (y[0] - h) * (y[0] - h); }
    void gradient(std::span<const double> y, std::span<double> g) const override {
      std::fill(g.begin(), g.end(), 0.0);
      g[0] = y[0] - h;
    }
    void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
      for (int r = 0; r < u.count; ++r) {
        for (std::size_t i = 0; i < y.size(); ++i) wu[r][i] = i == 0 ? u[r][i] : 0.0;
      }
    }
    bool empty() const override { return none; }
  };
  std::array<Step, 21> steps_;
};

TEST(WeightedSum, IsTheSumOfItsTerms) {
  const WeightedSum sum({{2.0, &kGaussian}, {0.5, &kCategorical}});
  const auto combined = [](const Vector& a, const Vector& b) { return plus(plus(Vector(4), 2.0, a), 0.5, b); };
  Random random(2);
  const Vector u = normals(random, 4), moved = normals(random, 4), y = kOutput;
  EXPECT_NEAR(sum.value(y), 2.0 * kGaussian.value(y) + 0.5 * kCategorical.value(y), 1e-12);
  expect_near(gradient_of(sum, y), combined(gradient_of(kGaussian, y), gradient_of(kCategorical, y)), 1e-12);
  expect_near(product_of(sum, y, u), combined(product_of(kGaussian, y, u), product_of(kCategorical, y, u)), 1e-12);
  expect_near(lag_of(sum, y, moved, u), combined(lag_of(kGaussian, y, moved, u), lag_of(kCategorical, y, moved, u)),
              1e-12);
  expect_near(acceleration_of(sum, y, u, moved),
              combined(acceleration_of(kGaussian, y, u, moved), acceleration_of(kCategorical, y, u, moved)), 1e-12);
}

TEST(WeightedSum, ObeysTheLaws) {
  const WeightedSum flat({{2.0, &kGaussian}, {0.5, &kHuber}}), curved({{2.0, &kGaussian}, {0.5, &kCategorical}});
  expect_laws(flat, kOutput);
  expect_laws(curved, kOutput);
  expect_curvature_is_hessian(curved, kOutput);
}

TEST(WeightedSum, IsDiagonalIfAllOfItsTermsAre) {
  expect_diagonal_agrees(WeightedSum({{2.0, &kGaussian}, {0.5, &kHuber}}), kOutput);
  Vector w(4);
  EXPECT_FALSE(WeightedSum({{2.0, &kGaussian}, {0.5, &kCategorical}}).diagonal(kOutput, w));
  EXPECT_FALSE(WeightedSum({{0.5, &kCategorical}, {2.0, &kGaussian}}).diagonal(kOutput, w));
}

TEST(WeightedSum, MayBeATerm) {
  const WeightedSum inner({{2.0, &kGaussian}, {1.0, &kHuber}}), outer({{0.5, &inner}, {3.0, &kCategorical}});
  const WeightedSum plain({{1.0, &kGaussian}, {0.5, &kHuber}, {3.0, &kCategorical}});
  EXPECT_NEAR(outer.value(kOutput), plain.value(kOutput), 1e-12);
  expect_near(gradient_of(outer, kOutput), gradient_of(plain, kOutput), 1e-12);
  expect_laws(outer, kOutput);
}

TEST(WeightedSum, LooksAheadThroughItsTerms) {
  const Ramp ramp;
  const WeightedSum sum({{1.0, &kGaussian}, {3.0, &ramp}}), nested({{2.0, &sum}});
  for (int h = 0; h <= WeightedSum::kMaxHorizon; ++h) {
    const double expected = kGaussian.at(h).value(kOutput) + 3.0 * ramp.at(h).value(kOutput);
    EXPECT_NEAR(sum.at(h).value(kOutput), expected, 1e-12);
    EXPECT_NEAR(nested.at(h).value(kOutput), 2.0 * expected, 1e-12);
    expect_laws(sum.at(h), kOutput);
  }
  EXPECT_EQ(&sum.at(0), &sum);
  EXPECT_EQ(&sum.at(-1), &sum);
  EXPECT_EQ(&sum.at(100), &sum.at(WeightedSum::kMaxHorizon));
}

TEST(WeightedSum, AsksEachHorizonWhetherThereIsSomething) {
  const Ramp later(false);
  const WeightedSum sum({{1.0, &later}});
  expect_silent(sum, kOutput);
  EXPECT_FALSE(sum.at(1).empty());
  EXPECT_EQ(sum.at(1).value(kOutput), later.at(1).value(kOutput));
}

TEST(WeightedSum, LeavesOutEmptyTerms) {
  const Gaussian nothing{Target{}};
  WeightedSum sum(
      {{1.0, &nothing}, {1.0, nullptr}, {0.0, &kGaussian}, {-1.0, &kGaussian}, {NAN, &kGaussian}, {HUGE_VAL, &kHuber}});
  expect_silent(sum, kOutput);
  expect_silent(WeightedSum(), kOutput);
  EXPECT_TRUE(sum.add({1.0, &kHuber}));
  EXPECT_EQ(sum.value(kOutput), kHuber.value(kOutput));
}

TEST(WeightedSum, RefusesMoreTermsThanItHolds) {
  WeightedSum sum;
  for (int k = 0; k < WeightedSum::kMaxTerms; ++k) EXPECT_TRUE(sum.add({1.0, &kHuber}));
  const double full = sum.value(kOutput);
  EXPECT_FALSE(sum.add({1.0, &kHuber}));
  EXPECT_EQ(sum.value(kOutput), full);
  EXPECT_NEAR(full, 8.0 * kHuber.value(kOutput), 1e-12);
}

TEST(WeightedSum, HoldsUpToItsBoundOfOutputsAndSaysSoBeyond) {
  const std::vector<float> target(WeightedSum::kMaxOutputs + 1, 1.0F);
  const Gaussian wide({target});
  const WeightedSum sum({{1.0, &wide}, {1.0, &wide}});
  const Vector most(WeightedSum::kMaxOutputs, 2.0), beyond(WeightedSum::kMaxOutputs + 1, 2.0);
  EXPECT_EQ(sum.value(most), 2048.0);
  EXPECT_EQ(gradient_of(sum, most), most);
  EXPECT_EQ(product_of(sum, most, most), plus(most, 1.0, most));
  EXPECT_TRUE(std::isnan(sum.value(beyond)));
  EXPECT_EQ(gradient_of(sum, beyond), Vector(beyond.size()));
  EXPECT_EQ(product_of(sum, beyond, beyond), Vector(beyond.size()));
  Vector w(beyond.size());
  EXPECT_FALSE(sum.diagonal(beyond, w));
}

TEST(WeightedSum, TakesNoOutputsAtAll) {
  const WeightedSum sum({{1.0, &kGaussian}});
  EXPECT_EQ(sum.value({}), 0.0);
  sum.gauss_newton({}, ConstDoubleRows{nullptr, 3, 0}, DoubleRows{nullptr, 3, 0});
}

}  // namespace
}  // namespace elastane
