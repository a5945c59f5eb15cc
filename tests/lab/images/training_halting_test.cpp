// Tests of lab/images/training_halting.cpp: what reaches the backbone, and a rule that learns.
#include "lab/images/training_halting.h"

#include <gtest/gtest.h>

namespace elastane::images {
namespace {

struct Problem {
  at::Tensor x = at::ones({4, 12}), labels = at::arange(4);
  std::unique_ptr<DeepNetwork> network;
  LinearHalting halting{8};
  Random random{3};

  // the gradient of the recursion's matrix
  double gradient_of(Method method) {
    network = make_network(method, 12, 8, 4);
    joint_loss(method, *network, &halting, x, labels, random).backward();
    for (const train::NamedTensor& leaf : network->leaves()) {
      if (leaf.name.ends_with("up.weight")) return leaf.value.grad().abs().sum().item<double>();
    }
    return -1;
  }
};

TEST(ImageHaltingLosses, ADetachedRankingLeavesTheBackboneAlone) {
  Problem p;
  {
    const at::NoGradGuard guard;
    for (const train::NamedTensor& leaf : p.halting.leaves()) at::Tensor(leaf.value).fill_(0.3);
  }
  const double task = p.gradient_of(find_method("literal"));
  EXPECT_NEAR(p.gradient_of(find_method("literal_detached")), task, 1e-5 * task);
  EXPECT_GT(std::fabs(p.gradient_of(find_method("literal_ranking")) - task), 1e-4 * task);
}

TEST(ImageHaltingLosses, PonderNetAndActReachTheBackbone) {
  Problem p;
  EXPECT_GT(p.gradient_of(find_method("recursion_ponder")), 0);
  EXPECT_GT(p.gradient_of(find_method("recursion_act")), 0);
}

TEST(ImageHaltingLosses, SharesThatHaveHaltedRise) {
  const at::Tensor o = at::tensor({-1.0F, 0.5F, -2.0F}).view({1, 3});
  for (const Halting halting : {Halting::ponder, Halting::act}) {
    const at::Tensor s = rule_scores(halting, o);
    EXPECT_LT(s[0][0].item<double>(), s[0][1].item<double>());
    EXPECT_LT(s[0][1].item<double>(), s[0][2].item<double>());
  }
  EXPECT_EQ(rule_scores(Halting::ranking, o)[0][2].item<double>(), -2);
}

// the answer changes at depth 3 where the margin is small, and stays where it is large
TEST(LearnedHalting, LearnsThatLargeMarginsStay) {
  Trajectories t{.depth = 4, .classes = 2};
  for (int i = 0; i < 200; ++i) {
    const bool sure = i % 2 == 0;
    for (int k = 0; k < 4; ++k) {
      t.logits.insert(t.logits.end(), {0, sure ? 5.0F : (k < 2 ? 0.2F : -5.0F)});
      t.change.push_back(1.0F / static_cast<float>(k + 1));
      t.size.push_back(1);
    }
    t.labels.push_back(1);
  }
  const Scores scores = LearnedHalting(t, 1).scores(t);
  EXPECT_GT(scores[t.at(0, 0)], scores[t.at(1, 0)] + 2);
}

}  // namespace
}  // namespace elastane::images
