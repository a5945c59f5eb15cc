// Tests of elastane/train/halting_losses.cpp: what each loss wants, and what it does not depend on.
#include "elastane/train/halting_losses.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::train {
namespace {

using at::Tensor;

// losses that fall with depth, at another pace in every example
DepthOutcomes outcomes() {
  const Tensor depth = at::arange(1, 7, at::kFloat).unsqueeze(0), pace = at::arange(1, 9, at::kFloat).unsqueeze(1);
  const Tensor losses = at::exp(-depth / pace);
  return {losses, (losses < 0.6).to(at::kLong)};
}

// the scores after some steps of plain descent on a loss
Tensor descend(const HaltLossOptions& options) {
  Random random(1);
  Tensor o = at::zeros({8, 6}).requires_grad_(true);
  for (int step = 0; step < 300; ++step) {
    halt_loss(o, outcomes(), options, random).backward();
    const at::NoGradGuard guard;
    o.sub_(5 * o.grad());
    o.grad().zero_();
  }
  return o.detach();
}

TEST(HaltLoss, RankingPutsEasyPairsAboveHardOnes) {
  for (const auto& [relative, absolute] : {std::pair(0.7, 0.3), {1.0, 0.0}, {0.0, 1.0}}) {
    const Tensor o = descend({.kind = HaltLoss::ranking, .relative = relative, .absolute = absolute});
    EXPECT_GT(o[0][5].item<float>(), 0);  // the lowest loss: a positive score, so the sign of (23) is right
    EXPECT_LT(o[7][0].item<float>(), 0.01);
    EXPECT_GT(o[0][5].item<float>(), o[7][0].item<float>());
  }
}

TEST(HaltLoss, RankingSeesOnlyTheRanksOfLosses) {
  Random random(1);
  const Tensor o = at::randn({8, 6});
  DepthOutcomes other = outcomes();
  const HaltLossOptions ranking{.kind = HaltLoss::ranking};
  const double before = halt_loss(o, other, ranking, random).item<double>();
  other.losses = other.losses.pow(3) * 100 - 7;
  EXPECT_EQ(halt_loss(o, other, ranking, random).item<double>(), before);
}

TEST(HaltLoss, StayLearnsWhetherTheAnswerIsFinal) {
  const Tensor answers = at::tensor({0, 1, 0, 1, 1, 1}).unsqueeze(0);
  EXPECT_TRUE(at::equal(stays(answers), at::tensor({0, 0, 0, 1, 1, 1}).to(at::kBool).unsqueeze(0)));
  const Tensor o = descend({.kind = HaltLoss::stay});
  EXPECT_TRUE(at::equal(o > 0, stays(outcomes().answers)));
}

TEST(HaltLoss, ThoseOfGatesHaltLaterWhenDepthIsCheaper) {
  const auto mean_depth = [](const HaltLossOptions& options) {
    const Tensor h = at::sigmoid(descend(options));
    if (options.kind == HaltLoss::marginal) {
      return (at::softmax(descend(options), 1) * at::arange(1, 7)).sum(1).mean().item<double>();
    }
    const Tensor on = at::cat({at::ones({8, 1}), (1 - h.narrow(1, 0, 5)).cumprod(1)}, 1);
    return on.sum(1).mean().item<double>();
  };
  for (const HaltLoss kind : {HaltLoss::marginal, HaltLoss::ponder, HaltLoss::act}) {
    EXPECT_GT(mean_depth({.kind = kind, .price = 0.001}), mean_depth({.kind = kind, .price = 0.5})) << name(kind);
  }
}

TEST(HaltLoss, OnlyAJointLossReachesTheBackbone) {
  Random random(1);
  for (const bool joint : {false, true}) {
    DepthOutcomes of = outcomes();
    of.losses.requires_grad_(true);
    const Tensor o = at::zeros({8, 6}).requires_grad_(true);
    halt_loss(o, of, {.kind = HaltLoss::ponder, .joint = joint}, random).backward();
    EXPECT_EQ(of.losses.grad().defined(), joint);
    EXPECT_TRUE(o.grad().defined());
  }
}

}  // namespace
}  // namespace elastane::train
