// elastane/train/choice.cpp: Gumbel's choices are drawn by softmax, and straight-through has the soft derivative (law E11).
#include "elastane/train/choice.h"

#include <gtest/gtest.h>

#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

using at::Tensor;

TEST(StraightThrough, HasTheValueOfTheHardAndTheDerivativeOfTheSoft) {
  const Tensor o = at::randn({5, 3}, at::kDouble).requires_grad_();
  const Tensor along = at::randn({5, 3}, at::kDouble), hard = at::one_hot(o.argmax(1), 3).to(at::kDouble);
  const Tensor both = straight_through(hard, at::softmax(o, 1));
  EXPECT_LT(deviation(both, hard), 1e-15);
  const Tensor found = torch::autograd::grad({(both * along).sum()}, {o})[0];
  const Tensor expected = torch::autograd::grad({(at::softmax(o, 1) * along).sum()}, {o})[0];
  EXPECT_TRUE(at::equal(found, expected));
}

TEST(GumbelChoice, IsDrawnWithTheProbabilitiesOfSoftmax) {
  const int draws = 20'000;
  const Tensor o = at::tensor({0.3, -1.0, 1.2, 0.0}, at::kDouble);
  for (const double temperature : {0.2, 1.0, 5.0}) {  // it changes derivatives only
    Random random(7);
    const Tensor chosen = gumbel_choice(o.expand({draws, 4}), temperature, random);
    EXPECT_TRUE(at::allclose(chosen.sum(1), at::ones({draws}, at::kDouble)));
    const Tensor expected = draws * at::softmax(o, 0);
    const double chi = ((chosen.sum(0) - expected).square() / expected).sum().item<double>();
    EXPECT_LT(chi, 16.3) << temperature;  // 3 degrees of freedom, p = .001
  }
}

}  // namespace
}  // namespace elastane::train
