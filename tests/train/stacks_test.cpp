// elastane/train/stacks.h: each stack has the blocks and the sizes that the shipped models were trained with.
#include "elastane/train/stacks.h"

#include <gtest/gtest.h>

namespace elastane::train {
namespace {

std::string kinds(const std::vector<BlockConfig>& blocks) {
  std::string text;
  for (const BlockConfig& block : blocks) text += std::string(block_name(block)) + " ";
  return text;
}

TEST(Stacks, HaveTheirBlocksInOrder) {
  EXPECT_EQ(kinds(mlp_stack({})), "mlp mlp mlp ");
  EXPECT_EQ(kinds(transformer_stack({})), "attention mlp attention mlp ");
  EXPECT_EQ(kinds(selective_stack({})), "mlp mlp selective ");
  EXPECT_EQ(kinds(selective_hybrid_stack({})), "mlp mlp selective attention ");
  EXPECT_EQ(kinds(mamba_stack({})), "mamba mlp mamba ");
  EXPECT_EQ(kinds(mamba_hybrid_stack({})), "mamba mlp attention mamba ");
}

TEST(Stacks, TakeTheSizesOfTheTask) {
  for (const BlockConfig& block : selective_hybrid_stack({.hidden = 96, .window = 64})) {
    if (const auto* mlp = std::get_if<MlpConfig>(&block.kind)) {
      EXPECT_EQ(mlp->hidden, 96);
      EXPECT_EQ(mlp->activation, Activation::silu);
    }
    if (const auto* attention = std::get_if<AttentionConfig>(&block.kind)) {
      EXPECT_EQ(attention->heads, 4);
      EXPECT_EQ(attention->window, 64);
    }
    if (const auto* selective = std::get_if<SelectiveConfig>(&block.kind)) {
      EXPECT_EQ(selective->hidden, 64);
    }
  }
  EXPECT_EQ(std::get<MambaConfig>(mamba_stack({}).front().kind).state, 16);
}

}  // namespace
}  // namespace elastane::train
