// lab/training/router_cost.cpp: streaming heads cost less in the engine, and the dense model is measured beside them.
#include "lab/training/router_cost.h"

#include <gtest/gtest.h>

#include "elastane/io/model_file.h"
#include "tests/train/routed_models.h"

namespace elastane::lab {
namespace {

TEST(RouterCost, CountsFewerMultiplyAddsTheFewerHeadsAreFull) {
  ModelConfig config = train::attention_config();
  for (BlockConfig& block : config.blocks) {
    auto* attention = std::get_if<AttentionConfig>(&block.kind);
    if (attention != nullptr) attention->window = 64, attention->block = attention->sink = attention->local = 16;
  }
  const ModelFile file{.config = config, .tensors = random_tensors(config, 1)};
  const at::Tensor x = train::random_data(3, 64, 1).x;
  const StepCost all = step_cost(file, {.full = {true, true, true, true}}, x),
                 one = step_cost(file, {.full = {true, false, false, false}}, x),
                 none = step_cost(file, {.full = {false, false, false, false}}, x);
  EXPECT_EQ(all.macs, all.dense_macs);
  EXPECT_LT(one.macs, all.macs);
  EXPECT_LT(none.macs, one.macs);
  EXPECT_EQ(none.dense_macs, all.macs);
  EXPECT_GT(none.micros, 0);
  EXPECT_GT(none.dense_micros, 0);
  const StepCost prompt = step_cost(file, {.full = {true, true, true, true}, .whole_prompt = true}, x);
  EXPECT_EQ(prompt.macs, all.macs);
}

}  // namespace
}  // namespace elastane::lab
