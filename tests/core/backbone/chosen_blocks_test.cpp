// Tests of elastane/core/backbone/chosen_blocks.h and .cpp: heads that read the best blocks within a budget.
#include "elastane/core/backbone/chosen_blocks.h"

#include <gtest/gtest.h>

#include "tests/core/elastic.h"

namespace elastane {
namespace {

std::int64_t block_macs(const Model& model) {
  return std::get<Attention>(model.network().layers[0].block).block_macs();
}

TEST(ChosenBlocks, WithoutABudgetAreAllBlocks) {
  Stream chosen(model_of(elastic_config({kBlocks, kBlocks, kBlocks}))), full(model_of(elastic_config()));
  for (int t = 0; t < 200; ++t) {
    chosen.advance(Input{3}(t));
    full.advance(Input{3}(t));
    ASSERT_TRUE(same_bits(chosen.output(), full.output())) << t;
  }
}

TEST(ChosenBlocks, WithoutAnythingToSpendAreTheBlocksOfAStreamingHead) {
  Stream chosen(model_of(elastic_config({kBlocks, kBlocks, kBlocks})), {.attention = Budget::macs(0)}),
      stream(model_of(elastic_config({kStream, kStream, kStream})));
  for (int t = 0; t < 200; ++t) {
    const AdvanceReport report = chosen.advance(Input{3}(t)), other = stream.advance(Input{3}(t));
    ASSERT_TRUE(same_bits(chosen.output(), stream.output())) << t;
    ASSERT_EQ(report.blocks[0].blocks_read, other.blocks[0].blocks_read);
  }
}

TEST(ChosenBlocks, KeepACountedBudgetAndReadNoFewerBlocksWithALargerOne) {  // E14
  const Model model = model_of(elastic_config({kBlocks, kFull, kBlocks}));
  const std::int64_t cost = block_macs(model);
  std::int64_t before = 0;
  for (const double limit : {0.0, 12.0, 20.0, 24.5, 30.0, 40.0, 1e6}) {
    Stream stream(model, {.attention = Budget::macs(limit * static_cast<double>(cost))});
    std::int64_t read = 0;
    for (int t = 0; t < 300; ++t) {
      const BlockReport report = stream.advance(Input{3}(t)).blocks[0];
      // of four query heads in mode blocks; the two others are full
      const std::int64_t own = report.blocks_read - report.blocks_seen / 3;
      const std::int64_t base = 4 * count_blocks(std::get<Attention>(model.network().layers[0].block).window(), kStream,
                                                 static_cast<std::uint64_t>(t));
      const std::int64_t bounds = report.macs - std::get<Attention>(model.network().layers[0].block).projection_macs() -
                                  report.blocks_read * cost;
      EXPECT_GE(own, base);
      EXPECT_TRUE(own == base || static_cast<double>(own * cost + bounds) <= limit * static_cast<double>(cost)) << t;
      read += own;
    }
    EXPECT_GE(read, before) << limit;
    before = read;
  }
}

TEST(ChosenBlocks, BoundWhatTheyLeaveOut) {
  const Model model = model_of(elastic_config({kBlocks, kBlocks, kBlocks}));
  const double some = 24.0 * static_cast<double>(block_macs(model));
  Stream all(model, {.attention = Budget::macs(1e12)}), few(model, {.attention = Budget::macs(some)});
  std::int64_t most = 0;
  for (int t = 0; t < 200; ++t) {
    EXPECT_EQ(all.advance(Input{3}(t)).blocks[0].left_out, 0);
    const BlockReport report = few.advance(Input{3}(t)).blocks[0];
    EXPECT_LE(report.left_out, 1'000'000);
    EXPECT_EQ(report.left_out > 0, report.blocks_read < report.blocks_seen) << t;
    most = std::max(most, report.left_out);
  }
  EXPECT_GT(most, 0);
}

TEST(ChosenBlocks, ReadTheBlockThatHoldsTheOnlyLargeKey) {
  // one attention block whose query and keys are its input: a step that looks like an old one finds it
  ModelConfig config{.inputs = 16, .outputs = 16, .width = 16};
  config.norm = Norm::none;
  config.blocks = {
      {.kind =
           AttentionConfig{
               .heads = 1, .window = 512, .rotary = false, .block = 16, .sink = 16, .local = 16, .modes = {kBlocks}},
       .norm = Norm::none,
       .residual = false}};
  std::vector<Tensor> tensors = random_tensors(config, 1);
  for (Tensor& tensor : tensors) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      tensor.values[i] = tensor.shape.size() == 2 && i % 17 == 0 ? 1.0F : 0.0F;
    }
  }
  const Model model = Model::create(config, tensors, {.isa = test_isa()}).value();
  // sink, newest block, bounds of 30 blocks, and one block more
  const double one = static_cast<double>(3 * block_macs(model) + 2 * 30 * 16);
  Stream stream(model, {.attention = Budget::macs(one)}), blind(model, {.attention = Budget::macs(0)});
  Random random(3);
  for (int t = 0; t < 500; ++t) {
    std::vector<float> x(16);
    for (float& v : x) v = static_cast<float>(0.3 * random.normal());
    if (t == 200 || t == 499) x.assign(16, 3.0F);
    stream.advance(x), blind.advance(x);
    if (t != 499) continue;
    EXPECT_NEAR(stream.output()[0], 3.0F, 0.01);
  }
}

TEST(ChosenBlocks, SpendNoMoreMicrosecondsThanTheyAreGivenAndStillAnswer) {
  const Model model = model_of(elastic_config({kBlocks, kBlocks, kBlocks}));
  Stream none(model, {.attention = Budget::micros(0)}), much(model, {.attention = Budget::micros(1e9)});
  for (int t = 0; t < 200; ++t) {
    const BlockReport few = none.advance(Input{3}(t)).blocks[0], all = much.advance(Input{3}(t)).blocks[0];
    EXPECT_LE(few.blocks_read, all.blocks_read);
    EXPECT_EQ(all.blocks_read, all.blocks_seen);
    for (const float y : none.output()) EXPECT_TRUE(std::isfinite(y));
  }
}

TEST(ChosenBlocks, AreTheSameInChunksAndAfterGoingBack) {
  const Model model = model_of(elastic_config({kBlocks, kStream, kBlocks}));
  const Budget budget = Budget::macs(30.0 * static_cast<double>(block_macs(model)));
  Stream steps(model, {.history = 40, .attention = budget}), chunk(model, {.attention = budget});
  for (int t = 0; t < 200; ++t) steps.advance(Input{3}(t));
  chunk.advance_chunk(rows_of(0, 200));
  EXPECT_TRUE(same_state(steps, chunk));
  EXPECT_TRUE(same_bits(steps.output(), chunk.output()));
  ASSERT_TRUE(steps.rewind(40));
  for (int t = 160; t < 200; ++t) steps.advance(Input{3}(t));
  EXPECT_TRUE(same_state(steps, chunk));
}

}  // namespace
}  // namespace elastane
