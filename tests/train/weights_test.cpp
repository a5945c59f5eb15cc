// elastane/train/weights.cpp: a model's tensors as leaves, and back.
#include "elastane/train/weights.h"

#include <gtest/gtest.h>

#include "tests/core/models.h"

namespace elastane::train {
namespace {

TEST(Weights, GiveBackTheTensorsOfTheFile) {
  const ModelConfig config = tiny_config();
  const std::vector<elastane::Tensor> given = random_tensors(config, 1);
  const Weights weights = Weights::create(config, given).value();
  const std::vector<elastane::Tensor> back = weights.tensors();
  ASSERT_EQ(back.size(), given.size());
  std::int64_t numbers = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    EXPECT_EQ(back[i].name, given[i].name);
    EXPECT_EQ(back[i].shape, given[i].shape);
    EXPECT_EQ(back[i].values, given[i].values);
    numbers += static_cast<std::int64_t>(given[i].values.size());
  }
  EXPECT_EQ(weights.count(), numbers);
}

TEST(Weights, TakeTheValuesOfOtherTensors) {
  const ModelConfig config = tiny_config();
  const Weights weights = Weights::create(config, random_tensors(config, 1)).value();
  const std::vector<elastane::Tensor> other = random_tensors(config, 2);
  weights.assign(other);
  const std::vector<elastane::Tensor> now = weights.tensors();
  for (std::size_t i = 0; i < other.size(); ++i) EXPECT_EQ(now[i].values, other[i].values) << other[i].name;
}

TEST(Weights, AreFoundByNameAndScope) {
  const ModelConfig config = tiny_config();
  const Weights weights = Weights::create(config, random_tensors(config, 1)).value();
  EXPECT_TRUE(weights.contains("encoder.weight"));
  EXPECT_FALSE(weights.contains("encoder.nothing"));
  const Scope encoder(weights, "encoder.");
  EXPECT_TRUE(encoder.contains("weight"));
  EXPECT_TRUE(encoder["weight"].is_same(weights["encoder.weight"]));
  EXPECT_TRUE(Scope(weights, "").below("encoder").contains("weight"));
}

TEST(Weights, RefuseAMissingTensorByName) {
  const ModelConfig config = tiny_config();
  std::vector<elastane::Tensor> tensors = random_tensors(config, 1);
  const std::string name = tensors.back().name;
  tensors.pop_back();
  const auto weights = Weights::create(config, tensors, at::kFloat, "a file");
  ASSERT_FALSE(weights);
  EXPECT_NE(weights.error().find(name), std::string::npos) << weights.error();
}

}  // namespace
}  // namespace elastane::train
