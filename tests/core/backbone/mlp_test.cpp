// Tests of elastane/core/backbone/mlp.cpp: a position-wise network, plain and gated.
#include "elastane/core/backbone/mlp.h"

#include "tests/core/backbone/lone_block.h"

namespace elastane {
namespace {

constexpr std::size_t kHidden = 7;

TEST(Mlp, ComputesItsLayers) {
  const LoneBlock block(MlpConfig{.hidden = kHidden, .activation = Activation::tanh});
  expect_recurrence(block, 5, [&](const Values& u, int) {
    Values x = affine(block("up.weight"), block("up.bias"), u, kHidden);
    for (double& value : x) value = std::tanh(value);
    return affine(block("down.weight"), block("down.bias"), x, LoneBlock::kWidth);
  });
}

TEST(Mlp, IsGatedByASecondLayer) {
  const LoneBlock block(MlpConfig{.hidden = kHidden, .activation = Activation::silu, .gated = true});
  expect_recurrence(block, 5, [&](const Values& u, int) {
    Values x = affine(block("up.weight"), block("up.bias"), u, kHidden);
    const Values gate = affine(block("gate.weight"), block("gate.bias"), u, kHidden);
    for (std::size_t i = 0; i < kHidden; ++i) x[i] *= silu(gate[i]);
    return affine(block("down.weight"), block("down.bias"), x, LoneBlock::kWidth);
  });
}

TEST(Mlp, ObeysTheLawsOfBlocks) {
  expect_block_laws(MlpConfig{.hidden = kHidden});
  expect_block_laws(MlpConfig{.hidden = kHidden, .gated = true});
}

TEST(Mlp, KeepsNoState) {
  const StateClasses state = Mlp{}.state();
  EXPECT_EQ(state.dense, 0);
  EXPECT_EQ(state.ring, 0);
  EXPECT_EQ(state.slow.floats(), 0);
}

}  // namespace
}  // namespace elastane
