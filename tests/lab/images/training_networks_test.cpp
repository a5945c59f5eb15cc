// Tests of lab/images/training_networks.cpp: every depth is that of the engine and of its twin.
#include "lab/images/training_networks.h"

#include <gtest/gtest.h>

#include "elastane/core/stream/stream.h"
#include "elastane/train/sequence_model.h"

namespace elastane::images {
namespace {

at::Tensor noise(int rows, int features) {
  Random random(9);
  at::Tensor x = at::empty({rows, features});
  for (std::int64_t i = 0; i < x.numel(); ++i) x.data_ptr<float>()[i] = static_cast<float>(random.normal());
  return x;
}

TEST(ImageNetworks, EveryDepthIsThatOfTheEngine) {
  const at::NoGradGuard guard;
  const at::Tensor x = noise(3, 12);
  for (const char* name : {"recursion", "damped", "literal", "tied"}) {
    const auto network = make_network(find_method(name), 12, 8, 4);
    const ModelFile file = network->file().value();
    const std::vector<at::Tensor> states = network->states(x, 16);
    for (const int depth : {1, 5, 16}) {
      ModelConfig config = file.config;
      std::get<RecursionConfig>(config.blocks[0].kind).depth = depth;
      Stream stream(Model::create(config, file.tensors).value());
      for (int row = 0; row < 3; ++row) {
        stream.advance({x.data_ptr<float>() + 12 * row, 12});
        const at::Tensor y = network->logits(states[static_cast<std::size_t>(depth - 1)])[row];
        for (int c = 0; c < 10; ++c) {
          EXPECT_NEAR(stream.output()[static_cast<std::size_t>(c)], y[c].item<float>(), 2e-4) << name << " " << depth;
        }
      }
    }
  }
}

TEST(ImageNetworks, TheLastDepthIsThatOfTheTwin) {
  const at::NoGradGuard guard;
  const at::Tensor x = noise(3, 12);
  const auto network = make_network(find_method("recursion"), 12, 8, 4);
  const ModelFile file = network->file().value();
  const auto twin = train::SequenceModel::create(file.config, file.tensors).value();
  const at::Tensor y = twin.forward({.x = x.unsqueeze(1)}, twin.start(3)).y.squeeze(1);
  EXPECT_LT((y - network->logits(network->states(x, 16).back())).abs().max().item<double>(), 1e-4);
}

TEST(ImageNetworks, StayContractionsUnderAnyStepOfAnOptimiser) {
  const auto network = make_network(find_method("recursion"), 12, 8, 4);
  {
    const at::NoGradGuard guard;
    for (const train::NamedTensor& leaf : network->leaves()) at::Tensor(leaf.value).mul_(3);
  }
  EXPECT_FALSE(Model::create(network->file()->config, network->file()->tensors));
  network->constrain();
  EXPECT_TRUE(Model::create(network->file()->config, network->file()->tensors));
}

TEST(ImageNetworks, AnUntiedOneHasItsOwnDepthAndNoFile) {
  const auto network = make_network(find_method("untied"), 12, 8, 4);
  EXPECT_FALSE(network->can_be_deeper());
  EXPECT_FALSE(network->file());
  EXPECT_EQ(network->states(noise(2, 12), 16).size(), 16U);
}

}  // namespace
}  // namespace elastane::images
