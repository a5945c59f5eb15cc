// Tests of elastane/core/backbone/gated_cell.cpp: what gru and lstm share.
#include "elastane/core/backbone/gated_cell.h"

#include "tests/core/backbone/lone_block.h"

namespace elastane {
namespace {

TEST(GatedCell, ReadsOutTheHiddenStateThatHeadsItsState) {
  for (const BlockKind& kind : {BlockKind(GruConfig{}), BlockKind(LstmConfig{})}) {
    Stream stream(LoneBlock(kind).model());
    for (int t = 0; t < 9; ++t) {
      stream.advance(LoneBlock::input(t));
      EXPECT_TRUE(same_bits(stream.output(), dense_of(stream).first(LoneBlock::kWidth)));
    }
  }
}

TEST(GatedCell, ScratchHoldsTheGatesOfEveryRow) {
  Binder binder(Precision::float32);
  const GatedCell cell = bind_gates(5, 3, {5, 5, 5}, binder);
  std::vector<float> memory(scratch_floats(cell, 4));
  const GateScratch scratch = scratch_of(cell, memory.data(), 4);
  EXPECT_EQ(scratch.gi.count, 4);
  EXPECT_EQ(scratch.gi.stride, 3 * padded(5));
  const float* end = scratch.h.data + 4 * scratch.h.stride;
  EXPECT_LE(end, memory.data() + memory.size());
}

}  // namespace
}  // namespace elastane
