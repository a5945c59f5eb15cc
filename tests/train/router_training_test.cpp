// elastane/train/router_training.cpp: routers learn which sequences need full heads, by four methods.
#include "elastane/train/router_training.h"

#include <gtest/gtest.h>

#include "elastane/core/stream/stream.h"
#include "tests/train/routed_models.h"

namespace elastane::train {
namespace {

using at::Tensor;

// Sequences whose first step says whether the last block asks for a far value: input 0 marks it. The model is random, so
// what is to be kept is what the dense model says, not a right answer.
RouterTraining quick(RouterMethod method, std::uint64_t seed = 1) {
  return {.method = method, .mask = kSmallMask, .hidden = 8, .seed = seed, .steps = 30, .batch = 8, .epsilon = 0.02};
}

TEST(RouterTraining, RunsByEveryMethodAndGivesFiniteNetworks) {
  const SequenceModel model = attention_model(attention_config(), 5, 5);
  const RouterData data = random_data(16);
  for (const RouterMethod method : kRouterMethods) {
    const TrainedRouter router = train_router(model, data, quick(method));
    for (int layer = 0; layer < router.network.layers(); ++layer) {
      for (const double v : router.network.router(layer).score_weight) EXPECT_TRUE(std::isfinite(v)) << name(method);
    }
    EXPECT_EQ(router.examples.full.defined(), method == RouterMethod::examples);
  }
}

TEST(RouterTraining, IsTheSameForTheSameSeed) {
  const SequenceModel model = attention_model(attention_config(), 5, 5);
  const RouterData data = random_data(16);
  for (const RouterMethod method : {RouterMethod::examples, RouterMethod::paper}) {
    const TrainedRouter a = train_router(model, data, quick(method)), b = train_router(model, data, quick(method));
    EXPECT_EQ(a.network.router(0), b.network.router(0)) << name(method);
    const TrainedRouter c = train_router(model, data, quick(method, 2));
    EXPECT_NE(a.network.router(0), c.network.router(0)) << name(method);
  }
}

TEST(RouterTraining, ByExamplesLearnsTheirClasses) {
  const SequenceModel model = attention_model(attention_config(), 5, 5);
  const RouterData data = random_data(24);
  RouterTraining training = quick(RouterMethod::examples);
  training.steps = 400, training.batch = 24, training.idle_weight = 0, training.hidden = 32;
  training.most_full = 4;
  const TrainedRouter router = train_router(model, data, training);
  RoutedModes modes(router.network, kSmallMask, router.pooling, false);
  const at::NoGradGuard no_grad;
  routed_logits(model, data.x, &modes);
  // what it decides costs little more than the best candidate of each sequence
  const Tensor dense = dense_logits(model, data.x), y = routed_logits(model, data.x, &modes);
  const Tensor cost = label_divergence(dense, y, data.target) + training.epsilon * modes.full().sum(1);
  const double best = std::get<0>(router.examples.cost.min(1)).mean().item<double>();
  GivenModes none(kSmallMask, at::zeros({1, 4}, at::kBool), 2);
  const double blind = label_divergence(dense, routed_logits(model, data.x, &none), data.target).mean().item<double>();
  EXPECT_LT(cost.mean().item<double>() - best, 0.3 * (blind - best));
}

TEST(RouterTraining, WithAHigherPriceOpensFewerHeads) {
  const SequenceModel model = attention_model(attention_config(), 5, 5);
  const RouterData data = random_data(16);
  double full[2];
  for (const int dear : {0, 1}) {
    RouterTraining training = quick(RouterMethod::price);
    training.steps = 120, training.price = dear != 0 ? 20.0 : 0.0;
    const TrainedRouter router = train_router(model, data, training);
    RoutedModes modes(router.network, kSmallMask, router.pooling, false);
    const at::NoGradGuard no_grad;
    routed_logits(model, data.x, &modes);
    full[dear] = modes.full().mean().item<double>();
  }
  EXPECT_LT(full[1], 0.1);
  EXPECT_GT(full[0], full[1]);
}

// the run-time router on the run-time pools, step by step, against the twin's on whole sequences
TEST(RouterTraining, GivesARouterThatAStreamFollows) {
  ModelConfig config{.inputs = 6, .outputs = 4, .width = 32};
  for (const bool rotary : {true, false}) {
    config.blocks.push_back(
        {.kind = AttentionConfig{.heads = 2, .window = 128, .rotary = rotary, .block = 16, .sink = 16, .local = 32}});
  }
  const std::vector<elastane::Tensor> tensors = random_tensors(config, 3);
  const SequenceModel model = SequenceModel::create(config, tensors).value();
  const Model core = Model::create(config, tensors).value();
  at::manual_seed(5);
  RouterData data = {at::randn({12, 128, 6}), at::full({12, 128, 4}, NAN), at::zeros({12}, at::kLong)};
  data.target.narrow(1, 112, 16).fill_(0.25);
  RouterTraining training{.method = RouterMethod::examples, .hidden = 8, .steps = 60, .batch = 8, .epsilon = 1e-4};
  const TrainedRouter router = train_router(model, data, training);
  RoutedModes modes(router.network, training.mask, router.pooling, /*by_block=*/true);
  const at::NoGradGuard no_grad;
  const at::Tensor y = routed_logits(model, data.x, &modes);
  const double full = modes.full()[0].sum().item<double>();  // of all heads, mean over blocks 1 to 7
  Stream stream(core, {.router = router_weights(router, core.fingerprint())});
  std::int64_t heads_full = 0;
  for (int t = 0; t < 128; ++t) {
    const at::Tensor row = data.x[0][t].contiguous();
    const AdvanceReport report = stream.advance({row.data_ptr<float>(), 6});
    for (const BlockReport& block : report.blocks) heads_full += t >= 16 ? block.heads_full : 0;
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(stream.output()[i], y[0][t][i].item<float>(), 1e-5) << t;
  }
  EXPECT_NEAR(static_cast<double>(heads_full) / 112, full, 1e-9);
}

TEST(RouterTraining, RefusesWhatItCannotTrain) {
  const SequenceModel model = attention_model(attention_config());
  const RouterData data = random_data(4);
  RouterTraining training = quick(RouterMethod::paper);
  training.targets = {0.5};
  EXPECT_THROW(train_router(model, data, training), std::exception);  // two tasks
  training = quick(RouterMethod::examples);
  training.mask.local = 6;
  EXPECT_THROW(train_router(model, data, training), std::exception);  // not a multiple of the block
  ModelConfig plain{.inputs = 6, .outputs = 4, .width = 8};
  plain.blocks = {{.kind = MlpConfig{.hidden = 8}}};
  EXPECT_THROW(train_router(attention_model(plain), data, quick(RouterMethod::examples)), std::exception);
}

}  // namespace
}  // namespace elastane::train
