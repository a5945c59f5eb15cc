// Tests of elastane/core/network/block_summary.cpp: what `elastane inspect` prints of a block.
#include "elastane/core/network/block_summary.h"

#include <gtest/gtest.h>

#include <numeric>

#include "elastane/core/network/network.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

TEST(BlockSummary, AddsUpToTheModel) {
  const Model model = model_of(hybrid_config());
  const std::vector<BlockSummary> blocks = summarise_blocks(model);
  ASSERT_EQ(blocks.size(), model.config().blocks.size());
  std::int64_t macs = model.network().dense_macs;
  std::size_t dense = 0;
  int latents = 0;
  for (const BlockSummary& block : blocks) {
    macs += block.macs;
    dense += block.dense;
    latents += block.latents;
  }
  EXPECT_EQ(macs, model.macs());
  EXPECT_EQ(dense, model.network().layout.ring - model.network().layout.dense);
  EXPECT_EQ(latents, model.network().latents);
}

TEST(BlockSummary, NamesKindsAndSettings) {
  const std::vector<BlockSummary> blocks = summarise_blocks(model_of(hybrid_config()));
  EXPECT_EQ(blocks[0].kind, "s4d");
  EXPECT_EQ(blocks[0].settings, "state 4, zero-order hold");
  EXPECT_EQ(blocks[1].settings, "state 3, conv 4, expand 2");
  EXPECT_EQ(blocks[2].settings, "heads 3, window 16, rotary");
  EXPECT_EQ(blocks[7].settings, "gated");
}

TEST(BlockSummary, SaysWhatABlockTakes) {
  EXPECT_EQ(cost_text({.kind = "mlp", .settings = "", .macs = 12}), "12 multiply-adds");
  EXPECT_EQ(cost_text({.kind = "x", .settings = "", .macs = 12, .dense = 64, .slow = 8}),
            "12 multiply-adds; state 64 bytes dense, 8 slow");
  EXPECT_EQ(cost_text({.kind = "x", .settings = "", .macs = 12, .ring = 32}), "12 multiply-adds; state 32 bytes ring");
}

}  // namespace
}  // namespace elastane
