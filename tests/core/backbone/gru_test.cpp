// Tests of elastane/core/backbone/gru.cpp: the recurrence of Cho et al. 2014, in PyTorch's form.
#include "elastane/core/backbone/gru.h"

#include "tests/core/backbone/lone_block.h"

namespace elastane {
namespace {

TEST(Gru, StepsLikeItsEquations) {
  const LoneBlock block(GruConfig{});
  const std::size_t n = LoneBlock::kWidth;
  Values h(n);
  expect_recurrence(block, 30, [&](const Values& u, int) {
    const Values i = affine(block("weight_ih_l0"), block("bias_ih_l0"), u, 3 * n);
    const Values s = affine(block("weight_hh_l0"), block("bias_hh_l0"), h, 3 * n);
    for (std::size_t c = 0; c < n; ++c) {
      const double r = sigmoid(i[c] + s[c]), z = sigmoid(i[n + c] + s[n + c]);
      h[c] = (1 - z) * std::tanh(i[2 * n + c] + r * s[2 * n + c]) + z * h[c];
    }
    return h;
  });
}

TEST(Gru, ObeysTheLawsOfBlocks) { expect_block_laws(GruConfig{}); }

}  // namespace
}  // namespace elastane
