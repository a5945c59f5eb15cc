// Tests of elastane/core/backbone/lstm.cpp: the recurrence of Hochreiter and Schmidhuber 1997, in PyTorch's form.
#include "elastane/core/backbone/lstm.h"

#include "tests/core/backbone/lone_block.h"

namespace elastane {
namespace {

TEST(Lstm, StepsLikeItsEquations) {
  const LoneBlock block(LstmConfig{});
  const std::size_t n = LoneBlock::kWidth;
  Values h(n), c(n);
  expect_recurrence(block, 30, [&](const Values& u, int) {
    Values gates = affine(block("weight_ih_l0"), block("bias_ih_l0"), u, 4 * n);
    const Values s = affine(block("weight_hh_l0"), block("bias_hh_l0"), h, 4 * n);
    for (std::size_t j = 0; j < 4 * n; ++j) gates[j] += s[j];
    for (std::size_t j = 0; j < n; ++j) {
      c[j] = sigmoid(gates[n + j]) * c[j] + sigmoid(gates[j]) * std::tanh(gates[2 * n + j]);
      h[j] = sigmoid(gates[3 * n + j]) * std::tanh(c[j]);
    }
    return h;
  });
}

TEST(Lstm, ObeysTheLawsOfBlocks) { expect_block_laws(LstmConfig{}); }

}  // namespace
}  // namespace elastane
