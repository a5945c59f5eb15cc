// elastane/train/head_modes.cpp, and the branches of elastane/train/backbone/attention.cpp: what a streaming head sees,
// and what its router sees of its keys.
#include "elastane/train/head_modes.h"

#include <gtest/gtest.h>

#include "tests/train/gradients.h"
#include "tests/train/routed_models.h"

namespace elastane::train {
namespace {

using at::Tensor;

Tensor modes_of(std::initializer_list<bool> full) {
  Tensor heads = at::zeros({1, static_cast<std::int64_t>(full.size())}, at::kBool);
  std::int64_t i = 0;
  for (const bool f : full) heads[0][i++] = f;
  return heads;
}

TEST(StreamingMask, HidesWhatIsNeitherSinkNorWindow) {
  const Tensor at = at::arange(32, at::kLong);
  const Tensor hidden = kSmallMask.hides(at, at);
  for (int q = 0; q < 32; ++q) {
    for (int k = 0; k <= q; ++k) {
      const bool seen = k < 4 || k / 4 > q / 4 - 2;  // the definition, block by block
      EXPECT_EQ(hidden[q][k].item<bool>(), !seen) << q << ", " << k;
    }
  }
}

TEST(HeadModes, AllFullIsTheDenseModel) {
  const SequenceModel model = attention_model(attention_config());
  const RouterData data = random_data(3);
  GivenModes modes(kSmallMask, modes_of({true, true, true, true}), 2);
  EXPECT_TRUE(at::equal(routed_logits(model, data.x, &modes), routed_logits(model, data.x, nullptr)));
}

TEST(HeadModes, StreamingChangesNothingWhileSinkAndWindowCoverAll) {  // law E2
  const SequenceModel model = attention_model(attention_config(), 1, 4);
  const RouterData data = random_data(3, 12);
  GivenModes modes(kSmallMask, modes_of({false, false, false, false}), 2);
  EXPECT_TRUE(at::equal(routed_logits(model, data.x, &modes), routed_logits(model, data.x, nullptr)));
}

TEST(HeadModes, HiddenKeysLeaveNoTrace) {  // law E7
  const SequenceModel model = attention_model(attention_config(1), 1, 4);
  const RouterData data = random_data(2);
  Tensor changed = data.x.clone();
  changed.narrow(1, 8, 8).mul_(100);  // blocks 2 and 3
  GivenModes modes(kSmallMask, modes_of({false, false}), 1);
  const Tensor a = routed_logits(model, data.x, &modes), b = routed_logits(model, changed, &modes);
  EXPECT_TRUE(at::equal(a.narrow(1, 20, 12), b.narrow(1, 20, 12)));  // blocks 5 to 7 do not see them
  EXPECT_FALSE(at::equal(a.narrow(1, 16, 4), b.narrow(1, 16, 4)));   // block 4 sees block 3
  GivenModes full(kSmallMask, modes_of({true, false}), 1);
  EXPECT_FALSE(at::equal(routed_logits(model, data.x, &full).narrow(1, 20, 12),
                         routed_logits(model, changed, &full).narrow(1, 20, 12)));
}

TEST(HeadModes, AreChosenForEachSequenceAndBlock) {
  const SequenceModel model = attention_model(attention_config(1), 1, 4);
  const RouterData data = random_data(2);
  const Tensor dense = routed_logits(model, data.x, nullptr);
  GivenModes none(kSmallMask, modes_of({false, false}), 1);
  const Tensor sparse = routed_logits(model, data.x, &none);
  Tensor share = at::zeros({2, 8, 2});
  share[1].narrow(0, 6, 1).fill_(1);  // the second sequence is full in block 6
  GivenModes mixed(kSmallMask, {share});
  const Tensor y = routed_logits(model, data.x, &mixed);
  EXPECT_TRUE(at::equal(y[0], sparse[0]));
  EXPECT_TRUE(at::equal(y[1].narrow(0, 0, 24), sparse[1].narrow(0, 0, 24)));
  EXPECT_TRUE(at::equal(y[1].narrow(0, 24, 4), dense[1].narrow(0, 24, 4)));
  EXPECT_TRUE(at::equal(y[1].narrow(0, 28, 4), sparse[1].narrow(0, 28, 4)));
}

TEST(HeadModes, MixBothBranchesWhenAShareIsLearned) {
  const SequenceModel model = attention_model(attention_config(1), 1, 4);
  const RouterData data = random_data(2);
  for (const double r : {0.0, 1.0}) {
    const Tensor share = at::full({1, 1, 2}, r).requires_grad_();
    GivenModes learned(kSmallMask, {share}), given(kSmallMask, {share.detach()});
    EXPECT_LT(deviation(routed_logits(model, data.x, &learned), routed_logits(model, data.x, &given)), 1e-6);
  }
}

TEST(HeadModes, OfGroupedHeadsAreThoseOfTheirKeyHead) {  // law E6
  const SequenceModel model = attention_model(attention_config(1, 4, 2), 1, 4);
  const RouterData data = random_data(2);
  GivenModes one(kSmallMask, modes_of({true, false}), 1), all(kSmallMask, modes_of({true, true}), 1);
  EXPECT_FALSE(at::equal(routed_logits(model, data.x, &one), routed_logits(model, data.x, &all)));
}

TEST(HeadModes, RefuseSequencesThatContinueOrLeaveTheWindow) {
  const SequenceModel model = attention_model(attention_config(1));
  const RouterData data = random_data(1, 80);
  GivenModes modes(kSmallMask, modes_of({true, true}), 1);
  EXPECT_THROW(routed_logits(model, data.x, &modes), std::exception);
  const Forward begun = model.forward({.x = data.x.narrow(1, 0, 8), .present = {}, .dt = {}}, model.start(1));
  EXPECT_THROW(model.forward({.x = data.x.narrow(1, 8, 8), .present = {}, .dt = {}}, begun.state, &modes),
               std::exception);
}

TEST(PooledKeys, AreWhatARunningPoolHolds) {
  at::manual_seed(2);
  const Tensor keys = at::randn({2, 14, 3, 5});  // three whole blocks of 4
  const Tensor pooled = pooled_keys(keys, 4, Pooling::edges_maximum);
  ASSERT_EQ(pooled.sizes(), (std::vector<std::int64_t>{2, 3, 45}));
  const Tensor first = keys.narrow(1, 0, 4).mean(1);
  Tensor last = first;
  for (int b = 0; b < 3; ++b) {
    const Tensor seen = keys.narrow(1, 0, 4 * (b + 1));
    last = 0.5 * (last + keys.narrow(1, 4 * b, 4).mean(1));  // the mean of the first block, at first
    const Tensor expected = at::cat({first.flatten(1), last.flatten(1), seen.amax(1).flatten(1)}, -1);
    EXPECT_LT(deviation(pooled.select(1, b), expected), 1e-6);
    EXPECT_LT(deviation(pooled_keys(keys, 4, Pooling::mean).select(1, b), seen.mean(1).flatten(1)), 1e-5);
  }
  EXPECT_EQ(pooled_keys(keys, 4, Pooling::edges).size(2), 30);
  EXPECT_EQ(pooled_keys(keys, 4, Pooling::maximum).size(2), 15);
  EXPECT_THROW(pooled_keys(keys.narrow(1, 0, 3), 4, Pooling::edges), std::exception);
}

}  // namespace
}  // namespace elastane::train
