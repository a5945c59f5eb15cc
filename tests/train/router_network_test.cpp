// elastane/train/router_network.cpp: the router decides from pooled keys, once or block by block.
#include "elastane/train/router_network.h"

#include <gtest/gtest.h>

#include "tests/train/routed_models.h"

namespace elastane::train {
namespace {

using at::Tensor;

RouterNetwork network_for(int layers, int features, std::uint64_t seed = 1) {
  Random random(seed);
  at::manual_seed(seed);
  std::vector<Tensor> examples;
  for (int i = 0; i < layers; ++i) examples.push_back(at::randn({50, features}, at::kDouble));
  return {examples, std::vector<int>(static_cast<std::size_t>(layers), 2), 8, 4, random};
}

TEST(RouterNetwork, ScoresAsTheRunTimeNetworksDo) {
  const RouterNetwork network = network_for(2, 24);
  const Tensor f = at::randn({3, 2, 24}, at::kDouble), before = network.route(0, f).code,
               o = network.route(1, f, before).logits;
  ASSERT_EQ(o.sizes(), (std::vector<std::int64_t>{3, 2, 2}));
  const ScoringNetwork task = network.task(1), router = network.router(1);
  ASSERT_EQ(task.features(), 24 + 4) << "the code of the layer before";
  double a[8], code[4], b[8], logits[2];
  for (int i = 0; i < 6; ++i) {
    std::vector<double> seen(f.data_ptr<double>() + 24 * i, f.data_ptr<double>() + 24 * (i + 1));
    for (int k = 0; k < 4; ++k) {
      // a stream's state is in single precision
      seen.push_back(static_cast<double>(static_cast<float>(before.view({6, 4})[i][k].item<double>())));
    }
    task.score(seen.data(), a, code);
    router.score(code, b, logits);
    for (int head = 0; head < 2; ++head) EXPECT_EQ(logits[head], o.view({6, 2})[i][head].item<double>());
  }
  EXPECT_EQ(network.leaves().size(), 16U);
}

TEST(RoutedModes, DecideOnceFromTheWholeSequence) {
  const RouterNetwork network = network_for(1, 24);
  RoutedModes modes(network, kSmallMask, Pooling::edges_maximum, /*by_block=*/false);
  const Tensor keys = at::randn({2, 32, 2, 4}), r = modes.full_share(0, keys);
  EXPECT_EQ(r.sizes(), (std::vector<std::int64_t>{2, 1, 2}));
  const Tensor logits = network.route(0, pooled_keys(keys, 4, Pooling::edges_maximum).select(1, 7)).logits;
  EXPECT_TRUE(at::equal(r.select(1, 0) > 0.5, logits > 0));
}

TEST(RoutedModes, OfABlockDoNotSeeItOrWhatFollows) {
  const RouterNetwork network = network_for(1, 24);
  RoutedModes modes(network, kSmallMask, Pooling::edges_maximum, /*by_block=*/true);
  const Tensor keys = at::randn({40, 32, 2, 4});
  Tensor changed = keys.clone();
  changed.narrow(1, 16, 16).normal_();
  const Tensor a = modes.full_share(0, keys).clone(), b = modes.full_share(0, changed);
  EXPECT_EQ(a.size(1), 8);
  EXPECT_TRUE(at::equal(a.narrow(1, 0, 5), b.narrow(1, 0, 5)));   // blocks 0 to 4
  EXPECT_FALSE(at::equal(a.narrow(1, 5, 3), b.narrow(1, 5, 3)));  // block 5 has seen block 4
}

TEST(RoutedModes, DrawnInTrainingHaveDerivatives) {
  const RouterNetwork network = network_for(1, 24);
  Random random(2);
  RoutedModes modes(network, kSmallMask, Pooling::edges_maximum, false, {.temperature = 1, .random = &random});
  modes.full_share(0, at::randn({4, 32, 2, 4}));
  modes.full().sum().backward();
  for (const NamedTensor& leaf : network.leaves()) EXPECT_TRUE(leaf.value.grad().defined()) << leaf.name;
}

}  // namespace
}  // namespace elastane::train
