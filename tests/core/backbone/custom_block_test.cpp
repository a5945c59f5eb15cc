// Tests of elastane/core/backbone/custom_block.cpp: an eighth kind of block, with a slow state and a cost that depends on
// the data. Everything that built-in kinds have follows from what it declares.
#include "elastane/core/backbone/custom_block.h"

#include <gtest/gtest.h>

#include "elastane/core/network/block_summary.h"
#include "elastane/core/network/network.h"
#include "elastane/core/stream/fleet.h"
#include "elastane/io/config_json.h"
#include "tests/core/decaying_memory.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

// the memory between blocks with dense and ring states
ModelConfig memory_config(int slots = 5, double threshold = 0.5) {
  ModelConfig config{.inputs = 3, .outputs = 2, .width = 12};
  config.blocks = {{.kind = GruConfig{}},
                   {.kind = decaying_memory(slots, threshold)},
                   {.kind = AttentionConfig{.heads = 3, .window = 4}},
                   {.kind = decaying_memory(3, threshold), .post = Activation::tanh, .mix = Mix::glu}};
  return config;
}

class CustomBlockOf : public testing::Test {
 protected:
  const Model model = model_of(memory_config());
  const Input input{3};
};

TEST_F(CustomBlockOf, StepsLikeItsRecurrence) {
  ModelConfig config{.inputs = 2, .outputs = 2, .width = 2, .norm = Norm::none};
  config.blocks = {{.kind = decaying_memory(1, 0.5), .norm = Norm::none, .residual = false}};
  // encoder, key and head are the identity
  std::vector<Tensor> tensors = random_tensors(config, 1);
  for (Tensor& tensor : tensors) {
    const bool weight = tensor.name.ends_with("weight");
    for (std::size_t i = 0; i < tensor.values.size(); ++i) tensor.values[i] = weight && i % 3 == 0 ? 1.0F : 0.0F;
  }
  Stream stream(Model::create(config, tensors, {.isa = test_isa()}).value());
  stream.advance(std::vector{0.25F, 4.0F});  // too small to be written: the row is still ¼
  EXPECT_EQ(copy(stream.output()), (std::vector{0.5F, 4.25F}));
  stream.advance(std::vector{2.0F, 1.0F});  // row ← ½(¼ + key)
  EXPECT_EQ(copy(stream.output()), (std::vector{2.0F + 1.125F, 1.0F + 0.625F}));
}

TEST_F(CustomBlockOf, ReportsACostThatDependsOnTheData) {
  Stream stream(model);
  bool wrote = false, did_not = false;
  for (int t = 0; t < 60; ++t) {
    const AdvanceReport report = stream.advance(input(t));
    ASSERT_EQ(report.blocks.size(), 4u);
    std::int64_t sum = model.network().dense_macs;
    for (const BlockReport& block : report.blocks) sum += block.macs;
    EXPECT_EQ(report.macs, sum);
    EXPECT_LE(report.macs, model.macs());
    const BlockReport& memory = report.blocks[1];
    EXPECT_EQ(memory.depth, 1 + memory.tokens_written);
    EXPECT_EQ(memory.macs, 12 * 12 + memory.depth * 5 * 12);
    EXPECT_EQ(report.blocks[2].slots_read, std::min(t + 1, 4));
    EXPECT_EQ(report.blocks[2].heads_full, 3);
    wrote |= memory.tokens_written == 1;
    did_not |= memory.tokens_written == 0;
  }
  EXPECT_TRUE(wrote && did_not) << "the threshold decides nothing";
}

TEST_F(CustomBlockOf, AChunkEqualsItsStepsAndTheirCost) {
  Stream steps(model), chunk(model);
  std::vector<float> x;
  std::int64_t macs = 0, written = 0;
  for (int t = 0; t < 41; ++t) {
    std::vector<float> row = input(t);
    x.insert(x.end(), row.begin(), row.end());
    const AdvanceReport report = steps.advance(row);
    macs += report.macs;
    written += report.blocks[1].tokens_written;
  }
  const AdvanceReport report = chunk.advance_chunk(x);
  EXPECT_EQ(report.macs, macs);
  EXPECT_EQ(report.blocks[1].tokens_written, written);
  EXPECT_TRUE(same_bits(chunk.output(), steps.output()));
  EXPECT_TRUE(same_state(chunk, steps));
}

TEST_F(CustomBlockOf, SnapshotsRestoreTheSlowState) {
  Stream stream(model), other(model);
  for (int t = 0; t < 20; ++t) stream.advance(input(t));
  ASSERT_TRUE(other.restore(snapshot_of(stream)));
  EXPECT_TRUE(same_state(stream, other));
  for (int t = 20; t < 40; ++t) {
    stream.advance(input(t));
    other.advance(input(t));
    ASSERT_TRUE(same_bits(stream.output(), other.output())) << t;
  }
}

TEST_F(CustomBlockOf, RewindsEveryClassOfState) {
  Stream stream(model, {.history = 9});
  std::vector<Stream> then;
  for (int t = 0; t < 30; ++t) {
    then.push_back(stream);
    stream.advance(input(t));
  }
  for (int back = 1; back <= 9; ++back) {
    ASSERT_TRUE(stream.rewind(1));
    ASSERT_TRUE(same_state(stream, then[static_cast<std::size_t>(30 - back)])) << back << " steps back";
  }
  EXPECT_FALSE(stream.rewind(1));
  // and on again, as if nothing had happened
  for (int t = 21; t < 30; ++t) stream.advance(input(t));
  then.back().advance(input(29));
  EXPECT_TRUE(same_state(stream, then.back()));
}

TEST_F(CustomBlockOf, HistoryDoesNotChangeWhatAStepDoes) {
  Stream plain(model), kept(model, {.history = 4});
  for (int t = 0; t < 30; ++t) {
    plain.advance(input(t));
    kept.advance(input(t));
    ASSERT_TRUE(same_state(plain, kept));
  }
}

TEST_F(CustomBlockOf, AForkIsIndependent) {
  Stream stream(model, {.history = 3});
  for (int t = 0; t < 10; ++t) stream.advance(input(t));
  Stream fork = stream;
  const std::vector<std::byte> before = copy(stream.state());
  for (int t = 50; t < 60; ++t) fork.advance(input(t));
  EXPECT_EQ(copy(stream.state()), before);
  ASSERT_TRUE(stream.rewind(3));
  for (int t = 7; t < 10; ++t) stream.advance(input(t));
  EXPECT_EQ(copy(stream.state()), before);
}

TEST_F(CustomBlockOf, AFleetEqualsSingleStreamsBitForBit) {
  constexpr int kStreams = 21;  // more than a tile
  Fleet fleet(model, kStreams);
  std::vector<Stream> singles(kStreams, Stream(model));
  for (int t = 0; t < 30; ++t) {
    std::vector<float> x;
    std::int64_t macs = 0;
    BlockReport memory;
    for (int i = 0; i < kStreams; ++i) {
      const std::vector<float> row = Input{3, static_cast<std::uint64_t>(i)}(t);
      x.insert(x.end(), row.begin(), row.end());
      const AdvanceReport report = singles[static_cast<std::size_t>(i)].advance(row);
      macs += report.macs;
      memory += report.blocks[1];
    }
    const AdvanceReport report = fleet.advance(x);
    EXPECT_EQ(report.macs, macs);
    EXPECT_EQ(report.blocks[1], memory);
    for (int i = 0; i < kStreams; ++i) {
      ASSERT_TRUE(same_bits(fleet.output(i), singles[static_cast<std::size_t>(i)].output())) << i << ", step " << t;
    }
  }
}

TEST_F(CustomBlockOf, ResetsToItsOwnStart) {
  const Model learned = [] {
    ModelConfig config = memory_config();
    config.learned_start = true;
    return model_of(config);
  }();
  for (const Model& m : {model, learned}) {
    Stream stream(m), fresh(m);
    for (int t = 0; t < 10; ++t) stream.advance(input(t));
    EXPECT_FALSE(same_state(stream, fresh));
    stream.reset();
    EXPECT_TRUE(same_state(stream, fresh));
  }
}

TEST_F(CustomBlockOf, IsInspected) {
  const std::vector<BlockSummary> blocks = summarise_blocks(model);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[1].kind, "decaying_memory");
  EXPECT_EQ(blocks[1].settings, "slots 5, threshold 0.5");
  EXPECT_EQ(blocks[1].macs, 12 * 12 + 2 * 5 * 12);
  EXPECT_EQ(blocks[1].slow, sizeof(float) * 5 * 12);
  EXPECT_EQ(blocks[1].ring, 0u);
  EXPECT_EQ(blocks[1].latents, 0);
  EXPECT_GT(blocks[2].ring, 0u);
  EXPECT_EQ(cost_text(blocks[1]),
            "264 multiply-adds; state " + std::to_string(blocks[1].dense) + " bytes dense, 240 slow");
}

TEST_F(CustomBlockOf, SettingsEnterTheFingerprint) {
  EXPECT_EQ(model.fingerprint(), model_of(memory_config()).fingerprint());
  EXPECT_NE(model.fingerprint(), model_of(memory_config(5, 0.25)).fingerprint());
  EXPECT_NE(model.fingerprint(), model_of(memory_config(6)).fingerprint());
}

TEST_F(CustomBlockOf, ARegisteredKindIsReadFromFiles) {
  EXPECT_FALSE(config_from_json(config_to_json(memory_config())));
  register_decaying_memory();
  const Result<ModelConfig> back = config_from_json(config_to_json(memory_config(4, 0.75)));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, memory_config(4, 0.75));
}

TEST_F(CustomBlockOf, WhatItRefusesIsReported) {
  const Status slots = validate(memory_config(0));
  ASSERT_FALSE(slots);
  EXPECT_EQ(slots.error(), "[config] decaying_memory.slots: expected 1 to 1024, found 0");
  ModelConfig config = memory_config();
  config.blocks[1].kind = CustomConfig{};
  EXPECT_FALSE(validate(config));
}

TEST_F(CustomBlockOf, ACorrectorNeedsADescription) {
  const Result<Stream> stream = Stream::create(model, {.corrector = CorrectorOptions{}});
  ASSERT_FALSE(stream);
  EXPECT_NE(stream.error().find("CustomBlock::describe"), std::string::npos) << stream.error();
}

}  // namespace
}  // namespace elastane
