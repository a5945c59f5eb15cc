// elastane/train/head_search.cpp: which heads must be full, for a sequence and for all.
#include "elastane/train/head_search.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "tests/train/routed_models.h"

namespace elastane::train {
namespace {

using at::Tensor;

struct Search : testing::Test {
  SequenceModel model = attention_model(attention_config(), 5, 5);
  RouterData data = random_data(12);
  Tensor dense = dense_logits(model, data.x);
};

TEST_F(Search, StopsBelowEpsilonAndNeverTakesMoreThanItMay) {
  const HeadExamples found = search_examples(model, data, dense, {.mask = kSmallMask, .epsilon = 0.05, .most_full = 3});
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const auto count = found.full[i].sum().item<std::int64_t>();
    EXPECT_LE(count, 3);
    EXPECT_TRUE(count == 3 || found.divergence[i].item<double>() < 0.05);
  }
}

TEST_F(Search, LeavesAllHeadsStreamingWhereNothingIsLost) {
  const HeadExamples found = search_examples(model, data, dense, {.mask = kSmallMask, .epsilon = 1e6});
  EXPECT_EQ(found.full.sum().item<std::int64_t>(), 0);
}

TEST_F(Search, ReportsTheDivergenceOfTheHeadsItChose) {
  const HeadExamples found = search_examples(model, data, dense, {.mask = kSmallMask, .epsilon = 1e-9, .most_full = 2});
  const at::NoGradGuard no_grad;
  GivenModes modes(kSmallMask, found.full, 2);
  const Tensor again = label_divergence(dense, routed_logits(model, data.x, &modes), data.target);
  EXPECT_LT((again - found.divergence).abs().max().item<double>(), 1e-5);
}

TEST_F(Search, TriesEverySubsetIfAsked) {
  const std::vector<SubsetScore> scores = search_subsets(model, data, dense, {.mask = kSmallMask, .exhaustive = 4});
  EXPECT_EQ(scores.size(), 16U);
  const SubsetScore& all = scores.back();
  EXPECT_EQ(all.count(), 4);
  EXPECT_LT(all.mean_divergence(), 1e-6);
  EXPECT_EQ(scores.front().count(), 0);
}

TEST_F(Search, ContinuesGreedilyToAllHeads) {
  const std::vector<SubsetScore> scores = search_subsets(model, data, dense, {.mask = kSmallMask, .exhaustive = 1});
  for (int count = 0; count <= 4; ++count) EXPECT_NE(best_static(scores, count), nullptr) << count;
  EXPECT_LT(scores.size(), 16U);
}

TEST(Subsets, AreChosenByHitsThenByDivergence) {
  const std::vector<SubsetScore> scores = {{.full = 0b00, .hits = {0.5, 0.1}, .divergence = {1, 1}},
                                           {.full = 0b01, .hits = {0.9, 0.2}, .divergence = {1, 1}},
                                           {.full = 0b10, .hits = {0.2, 0.9}, .divergence = {1, 0}},
                                           {.full = 0b11, .hits = {1.0, 1.0}, .divergence = {0, 0}}};
  EXPECT_EQ(best_static(scores, 1)->full, 0b10U);
  EXPECT_EQ(fewest_for(scores, 0, 1.0, 0.9)->full, 0b01U);
  EXPECT_EQ(fewest_for(scores, 1, 1.0, 0.99)->full, 0b11U);
  EXPECT_EQ(fewest_for(scores, 0, 1.2, 1.0), nullptr);
  EXPECT_EQ(best_static(scores, 3), nullptr);
}

}  // namespace
}  // namespace elastane::train
