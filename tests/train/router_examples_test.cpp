// elastane/train/router_examples.cpp: a router is fitted to subsets of heads that cost little.
#include "elastane/train/router_examples.h"

#include <gtest/gtest.h>

#include "tests/train/routed_models.h"

namespace elastane::train {
namespace {

using at::Tensor;

TEST(SubsetLoss, IsTheLikelihoodOfGoodSubsets) {
  at::manual_seed(3);
  const Tensor logits = at::randn({5, 3}, at::kDouble);
  const Tensor candidates = at::tensor({0, 0, 0, 1, 0, 1, 1, 1, 1}, at::kLong).view({3, 3}).to(at::kBool);
  const Tensor cost = at::rand({5, 3}, at::kDouble);
  const Tensor found = subset_loss(logits, candidates, cost, 0.5);
  for (int i = 0; i < 5; ++i) {
    double sum = 0;
    for (int s = 0; s < 3; ++s) {
      double p = 1;
      for (int h = 0; h < 3; ++h) {
        const double full = 1 / (1 + std::exp(-logits[i][h].item<double>()));
        p *= candidates[s][h].item<bool>() ? full : 1 - full;
      }
      sum += p * std::exp(-(cost[i][s].item<double>() - cost[i].min().item<double>()) / 0.5);
    }
    EXPECT_NEAR(found[i].item<double>(), -std::log(sum), 1e-12);
  }
}

TEST(SubsetLoss, LeavesTheChoiceBetweenEqualSubsetsToTheRouter) {
  // two subsets of the same cost: whichever the router prefers has no loss
  const Tensor candidates = at::tensor({1, 0, 0, 1}, at::kLong).view({2, 2}).to(at::kBool);
  const Tensor cost = at::zeros({2, 2}, at::kDouble), sure = at::tensor({30.0, -30.0, -30.0, 30.0}).view({2, 2});
  EXPECT_LT(subset_loss(sure.to(at::kDouble), candidates, cost, 0.01).max().item<double>(), 1e-9);
}

TEST(ExpectedCost, WeighsTriedSubsetsByTheirProbability) {
  const Tensor candidates = at::tensor({0, 0, 1, 0, 1, 1}, at::kLong).view({3, 2}).to(at::kBool);
  const Tensor cost = at::tensor({0.5, 0.1, 0.2, 9.0, 0.1, 0.1}, at::kDouble).view({2, 3});
  const Tensor logits = at::tensor({0.7, -0.4, 0.7, -0.4}, at::kDouble).view({2, 2});
  const double p[] = {1, std::exp(0.7), std::exp(0.3)}, sum = p[0] + p[1] + p[2];
  const Tensor found = expected_cost(logits, candidates, cost);
  EXPECT_NEAR(found[0].item<double>(), (0.4 * p[0] + 0.1 * p[2]) / sum, 1e-12);
  EXPECT_NEAR(found[1].item<double>(), p[0] / sum, 1e-12) << "what is lost beyond a nat does not count";
}

struct ByExamples : testing::Test {
  SequenceModel model = attention_model(attention_config(), 5, 5);
  RouterData data = random_data(30);
  RouterTraining training{.mask = kSmallMask, .hidden = 8, .steps = 60, .epsilon = 0.02};
  Tensor dense = dense_logits(model, data.x);
};

TEST_F(ByExamples, FeaturesAreThePooledKeysOfEachLayer) {
  const Tensor none = at::zeros({30, 4}, at::kBool), all = at::ones({30, 4}, at::kBool);
  const std::vector<Tensor> a = features_under(model, data.x, none, training),
                            b = features_under(model, data.x, all, training);
  ASSERT_EQ(a.size(), 2U);
  EXPECT_EQ(a[0].sizes(), (std::vector<std::int64_t>{30, 8, 3 * 8}));
  EXPECT_TRUE(at::equal(a[0], b[0]));   // the first layer's keys come before any decision
  EXPECT_FALSE(at::equal(a[1], b[1]));  // later ones depend on it
}

TEST_F(ByExamples, CostsAreThoseOfTheDecisions) {
  freeze(model);
  TrainedRouter router = train_by_examples(model, data, dense, training);
  router.network.shift(100);  // all full: nothing is lost, every head is paid for
  EXPECT_NEAR(routed_cost(model, data, dense, router, 0.02), 4 * 0.02, 1e-6);
  router.network.shift(-200);  // none
  GivenModes none(kSmallMask, at::zeros({1, 4}, at::kBool), 2);
  const at::NoGradGuard no_grad;
  const Tensor lost = label_divergence(dense, routed_logits(model, data.x, &none), data.target);
  EXPECT_NEAR(routed_cost(model, data, dense, router, 0.02), lost.mean().item<double>(), 1e-6);
}

TEST_F(ByExamples, TheOffsetIsTheCheapestOnSequencesThatWereNotFitted) {
  freeze(model);
  TrainedRouter router = train_by_examples(model, data, dense, training);
  const Tensor held = at::arange(4, 30, 5, at::kLong);
  const RouterData others = data.rows(held);
  const Tensor expected = dense.index_select(0, held);
  const double chosen = routed_cost(model, others, expected, router, 0.02);
  for (const double offset : {-1.0, 0.0, 1.0, 2.0, 6.0}) {
    router.network.shift(offset - router.offset);
    EXPECT_GE(routed_cost(model, others, expected, router, 0.02), chosen - 1e-9) << offset;
    router.network.shift(router.offset - offset);
  }
}

}  // namespace
}  // namespace elastane::train
