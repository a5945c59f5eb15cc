// Tests of elastane/core/backbone/selective.cpp: the diagonal selective recurrence of the GeoSSM paper.
#include "elastane/core/backbone/selective.h"

#include "tests/core/backbone/lone_block.h"

namespace elastane {
namespace {

TEST(Selective, StepsLikeItsEquations) {
  const LoneBlock block(SelectiveConfig{});
  const std::size_t n = LoneBlock::kWidth;
  Values z(n);
  expect_recurrence(block, 30, [&](const Values& u, int) {
    const Values delta = affine(block("delta.weight"), block("delta.bias"), u, n);
    const Values drive = affine(block("input.weight"), block("input.bias"), u, n);
    for (std::size_t i = 0; i < n; ++i) {
      const double a = std::exp(-softplus(delta[i]) * std::exp(block("log_a")[i]));
      z[i] = a * z[i] + (1 - a) * drive[i];
    }
    return z;
  });
}

TEST(Selective, ObeysTheLawsOfBlocks) { expect_block_laws(SelectiveConfig{}); }

}  // namespace
}  // namespace elastane
