// elastane/train/head_search.cpp: which heads must be full, for a sequence and for all.
#include "elastane/train/head_search.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/train/routed_models.h"

namespace elastane::train {
namespace {

using at::Tensor;

struct Search : testing::Test {
  SequenceModel model = attention_model(attention_config(), 5, 5);
  RouterData data = random_data(12);
  Tensor dense = dense_logits(model, data.x);
};

TEST_F(Search, TakesTheCheapestOfTheSubsetsThatItTriedWithEverySequence) {
  const ExampleSearch search{.mask = kSmallMask, .epsilon = 0.05, .most_full = 3, .candidates = 8};
  const HeadExamples found = search_examples(model, data, dense, search);
  ASSERT_LE(found.candidates.size(0), 8);
  const Tensor heads = found.candidates.sum(1);
  EXPECT_EQ(heads.min().item<std::int64_t>(), 0);  // none and all are among them
  EXPECT_EQ(heads.max().item<std::int64_t>(), 4);
  EXPECT_EQ(found.cost.sizes(), (std::vector<std::int64_t>{12, found.candidates.size(0)}));
  const Tensor own = found.divergence + 0.05 * found.full.sum(1);
  EXPECT_TRUE(at::allclose(own, std::get<0>(found.cost.min(1))));
  // all heads full lose nothing, so nothing costs more than that
  EXPECT_LE(own.max().item<double>(), 4 * 0.05 + 1e-6);
}

TEST_F(Search, TriesOnlyWhatWonWithSequencesThatAreNotSearched) {
  ExampleSearch search{.mask = kSmallMask, .epsilon = 0.02, .most_full = 3, .candidates = 8, .searched = 6};
  const HeadExamples some = search_examples(model, data, dense, search);
  EXPECT_EQ(some.cost.size(0), 12);
  EXPECT_EQ(some.full.size(0), 12);
  EXPECT_EQ(some.candidates.sum(1).max().item<std::int64_t>(), 4);
  GivenModes modes(kSmallMask, some.full, 2);
  const at::NoGradGuard no_grad;
  const Tensor again = label_divergence(dense, routed_logits(model, data.x, &modes), data.target);
  EXPECT_LT((again - some.divergence).abs().max().item<double>(), 1e-5);
}

TEST_F(Search, WithManyCandidatesFindsTheCheapestOfAllSubsets) {
  const HeadExamples found =
      search_examples(model, data, dense, {.mask = kSmallMask, .epsilon = 0.02, .most_full = 4, .candidates = 16});
  const at::NoGradGuard no_grad;
  double best = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const RouterData one = data.rows(at::tensor({i}));
    double least = HUGE_VAL;
    for (std::uint64_t subset = 0; subset < 16; ++subset) {
      GivenModes modes(kSmallMask, heads_of(subset, 4), 2);
      const Tensor lost = label_divergence(dense.narrow(0, i, 1), routed_logits(model, one.x, &modes), one.target);
      least = std::min(least, lost.item<double>() + 0.02 * std::popcount(subset));
    }
    best += least;
  }
  EXPECT_LT(std::get<0>(found.cost.min(1)).sum().item<double>(), 1.1 * best + 0.01);
}

TEST_F(Search, LeavesAllHeadsStreamingWhereNothingIsLost) {
  const HeadExamples found = search_examples(model, data, dense, {.mask = kSmallMask, .epsilon = 1e6});
  EXPECT_EQ(found.full.sum().item<std::int64_t>(), 0);
}

TEST_F(Search, ReportsTheDivergenceOfTheHeadsItChose) {
  const HeadExamples found = search_examples(model, data, dense, {.mask = kSmallMask, .epsilon = 0.01, .most_full = 2});
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
