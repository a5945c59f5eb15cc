// elastane/train/gate_losses.cpp: the value of each loss where it can be computed by hand, and its derivatives.
#include "elastane/train/gate_losses.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::train {
namespace {

// two examples, three depths; costs 0, 1, 2 at a price of 0.5
DepthCosts costs() {
  return {at::tensor({4.0, 1.0, 0.5, 1.0, 1.0, 1.0}, at::kDouble).view({2, 3}),
          at::tensor({0.0, 0.5, 1.0}, at::kDouble)};
}

double loss(const at::Tensor& o, GateLossOptions options) {
  Random random(1);
  return gate_loss(o, costs(), options, random).item<double>();
}

// scores that choose depth 1 for the first example and 0 for the second, which is best: J = 1.5 and 1
at::Tensor best_choice() { return at::tensor({0.0, 60.0, 0.0, 60.0, 0.0, 0.0}, at::kDouble).view({2, 3}); }

TEST(GateLoss, OfACertainChoiceIsItsObjective) {
  EXPECT_NEAR(loss(best_choice(), {.method = GateMethod::marginal, .entropy = 0}), 1.25, 1e-9);
  EXPECT_NEAR(loss(best_choice(), {.method = GateMethod::oracle}), 0, 1e-9);
  EXPECT_NEAR(loss(best_choice(), {.method = GateMethod::gumbel}), 1.25, 1e-9);
}

TEST(GateLoss, OfEvenScoresIsTheMeanObjective) {
  const at::Tensor even = at::zeros({2, 3}, at::kDouble);
  EXPECT_NEAR(loss(even, {.method = GateMethod::marginal, .entropy = 0}), (4 + 1.5 + 1.5 + 1 + 1.5 + 2) / 6, 1e-9);
  EXPECT_NEAR(loss(even, {.method = GateMethod::oracle}), std::log(3.0), 1e-9);
}

TEST(GateLoss, OfPonderHaltsAtTheFirstDepthThatSaysSo) {
  const at::Tensor halts = at::tensor({-60.0, 60.0, 0.0, 60.0, 0.0, 0.0}, at::kDouble).view({2, 3});
  EXPECT_NEAR(loss(halts, {.method = GateMethod::ponder, .divergence = 0}), 1.25, 1e-9);
}

TEST(GateLoss, HasTheDerivativesOfDifferences) {
  at::manual_seed(1);
  for (const GateMethod method : {GateMethod::marginal, GateMethod::oracle, GateMethod::ponder, GateMethod::act}) {
    const at::Tensor o = at::randn({2, 3}, at::kDouble).requires_grad_();
    Random random(1);
    gate_loss(o, costs(), {.method = method}, random).backward();
    const at::Tensor gradient = o.grad().clone();
    const at::NoGradGuard no_grad;
    for (std::int64_t i = 0; i < o.numel(); ++i) {
      double& value = o.data_ptr<double>()[i];
      const double kept = value, h = 1e-6;
      value = kept + h;
      const double above = loss(o, {.method = method});
      value = kept - h;
      const double below = loss(o, {.method = method});
      value = kept;
      EXPECT_NEAR(gradient.data_ptr<double>()[i], (above - below) / (2 * h), 1e-6) << name(method);
    }
  }
}

TEST(GateMethods, HaveNamesAndReadouts) {
  for (const GateMethod method : kGateMethods) EXPECT_FALSE(name(method).empty());
  EXPECT_EQ(readout_of(GateMethod::marginal), GateReadout::argmax);
  EXPECT_EQ(readout_of(GateMethod::ponder), GateReadout::ponder);
  EXPECT_EQ(readout_of(GateMethod::act), GateReadout::act);
}

}  // namespace
}  // namespace elastane::train
