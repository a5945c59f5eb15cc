// elastane/train/routed_model.cpp: how far a routed model is from the dense one, over labels alone.
#include "elastane/train/routed_model.h"

#include <gtest/gtest.h>

#include "tests/train/routed_models.h"

namespace elastane::train {
namespace {

using at::Tensor;

TEST(LabelDivergence, IsZeroForEqualsAndIgnoresStepsWithoutLabel) {
  const RouterData data = random_data(3);
  const Tensor a = at::randn({3, 32, 4});
  Tensor b = a.clone();
  b.narrow(1, 0, 28).normal_();
  EXPECT_EQ(label_divergence(a, b, data.target).abs().max().item<float>(), 0);
  b.narrow(1, 28, 4).normal_();
  EXPECT_GT(label_divergence(a, b, data.target).min().item<float>(), 0);
}

TEST(LabelLoss, IsTheMeanOverLabels) {
  const RouterData data = random_data(2);
  const Tensor uniform = at::zeros({2, 32, 4});
  EXPECT_NEAR(label_loss(uniform, data.target)[0].item<double>(), std::log(4.0), 1e-6);
  EXPECT_EQ(label_count(data.target)[0].item<std::int64_t>(), 4);
  EXPECT_EQ(label_hits(at::nan_to_num(data.target), data.target)[1].item<std::int64_t>(), 4);
}

TEST(DenseLogits, AreTheSameInParts) {
  const SequenceModel model = attention_model(attention_config());
  const RouterData data = random_data(70, 16);
  const Tensor whole = routed_logits(model, data.x, nullptr);
  EXPECT_LT((dense_logits(model, data.x) - whole).abs().max().item<float>(), 1e-5);
}

TEST(Freeze, StopsGradients) {
  const SequenceModel model = attention_model(attention_config());
  freeze(model);
  EXPECT_FALSE(routed_logits(model, random_data(2).x, nullptr).requires_grad());
}

TEST(RouterData, GivesRowsByIndex) {
  const RouterData data = random_data(5), some = data.rows(at::tensor({std::int64_t{4}, std::int64_t{1}}));
  EXPECT_EQ(some.size(), 2);
  EXPECT_TRUE(at::equal(some.x[0], data.x[4]));
  EXPECT_EQ(some.task[1].item<std::int64_t>(), 1);
}

}  // namespace
}  // namespace elastane::train
