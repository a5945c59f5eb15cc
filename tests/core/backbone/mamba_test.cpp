// Tests of elastane/core/backbone/mamba.cpp: the selective state-space block of Gu and Dao 2023.
#include "elastane/core/backbone/mamba.h"

#include <deque>

#include "tests/core/backbone/lone_block.h"

namespace elastane {
namespace {

constexpr std::size_t kStates = 3, kTaps = 3, kRank = 1, kInner = 2 * LoneBlock::kWidth;

TEST(Mamba, StepsLikeItsEquations) {
  const LoneBlock block(MambaConfig{.state = kStates, .conv = kTaps, .dt_rank = kRank});
  Values s(kInner * kStates);
  std::deque<Values> taps(kTaps, Values(kInner));  // the newest first
  const Values a_log = block("A_log"), conv = block("conv1d.weight");
  expect_recurrence(block, 30, [&](const Values& u, int) {
    taps.push_front(affine(block("in_proj.weight"), {}, u, kInner));
    taps.pop_back();
    const Values z = affine(block("in_proj.weight"), {}, u, kInner, kInner);
    Values x(kInner);
    for (std::size_t i = 0; i < kInner; ++i) {
      x[i] = block("conv1d.bias")[i];
      for (std::size_t k = 0; k < kTaps; ++k) x[i] += conv[i * kTaps + kTaps - 1 - k] * taps[k][i];
      x[i] = silu(x[i]);
    }
    const Values low = affine(block("x_proj.weight"), {}, x, kRank + 2 * kStates);
    const Values delta = affine(block("dt_proj.weight"), block("dt_proj.bias"), {low[0]}, kInner);
    Values y(kInner);
    for (std::size_t i = 0; i < kInner; ++i) {
      const double step = softplus(delta[i]);
      for (std::size_t n = 0; n < kStates; ++n) {
        double& state = s[i * kStates + n];
        state = std::exp(-step * std::exp(a_log[i * kStates + n])) * state + step * x[i] * low[kRank + n];
        y[i] += low[kRank + kStates + n] * state;
      }
      y[i] = (y[i] + block("D")[i] * x[i]) * silu(z[i]);
    }
    return affine(block("out_proj.weight"), {}, y, LoneBlock::kWidth);
  });
}

TEST(Mamba, ObeysTheLawsOfBlocks) { expect_block_laws(MambaConfig{.state = 5, .conv = 3}); }

}  // namespace
}  // namespace elastane
