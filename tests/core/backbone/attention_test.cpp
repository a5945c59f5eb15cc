// Tests of elastane/core/backbone/attention.cpp: softmax attention over a sliding window.
#include "elastane/core/backbone/attention.h"

#include "elastane/core/network/network.h"
#include "tests/core/backbone/lone_block.h"

namespace elastane {
namespace {

constexpr std::size_t kN = LoneBlock::kWidth;

// the pairs (i, i + size/2) of every head, turned by the step's time
void turn(Values& x, std::size_t size, double time, double base) {
  for (std::size_t head = 0; head < x.size(); head += size) {
    for (std::size_t i = 0; i < size / 2; ++i) {
      const double angle = time * std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(size));
      const double p = x[head + i], q = x[head + i + size / 2];
      x[head + i] = p * std::cos(angle) - q * std::sin(angle);
      x[head + i + size / 2] = q * std::cos(angle) + p * std::sin(angle);
    }
  }
}

void expect_attention(const AttentionConfig& config) {
  const LoneBlock block(config);
  const auto heads = static_cast<std::size_t>(config.heads), size = kN / heads;
  const auto kv_heads = config.kv_heads > 0 ? static_cast<std::size_t>(config.kv_heads) : heads;
  std::vector<Values> keys, values;
  expect_recurrence(block, 20, [&](const Values& u, int t) {
    Values q = affine(block("q_proj.weight"), {}, u, kN), k = affine(block("k_proj.weight"), {}, u, kv_heads * size);
    if (config.rotary) {
      turn(q, size, t + 1, config.rotary_base);
      turn(k, size, t + 1, config.rotary_base);
    }
    keys.push_back(k);
    values.push_back(affine(block("v_proj.weight"), {}, u, kv_heads * size));
    const int first = std::max(0, t + 1 - config.window);
    Values y(kN);
    for (std::size_t head = 0; head < heads; ++head) {
      const std::size_t from = head / (heads / kv_heads) * size;
      double sum = 0;
      for (int s = first; s <= t; ++s) {
        double score = 0;
        for (std::size_t i = 0; i < size; ++i)
          score += q[head * size + i] * keys[static_cast<std::size_t>(s)][from + i];
        const double weight = std::exp(score / std::sqrt(static_cast<double>(size)));
        sum += weight;
        for (std::size_t i = 0; i < size; ++i) {
          y[head * size + i] += weight * values[static_cast<std::size_t>(s)][from + i];
        }
      }
      for (std::size_t i = 0; i < size; ++i) y[head * size + i] /= sum;
    }
    return affine(block("o_proj.weight"), {}, y, kN);
  });
}

TEST(Attention, AttendsToItsWindow) {
  expect_attention({.heads = 3, .window = 5, .rotary = false});
  expect_attention({.heads = 3, .window = 64});
  expect_attention({.heads = 3, .kv_heads = 1, .window = 7, .rotary_base = 100});
}

TEST(Attention, FullHeadsEqualABlockWithoutModesBitForBit) {  // E1
  const auto lone = [](const AttentionConfig& config) { return LoneBlock(config).model(); };
  Stream plain(lone({.heads = 3, .window = 64, .block = 16})),
      full(lone({.heads = 3, .window = 64, .block = 16, .local = 16}));
  // panels of the same length: without modes they are as long as the window needs, at most `block`
  for (int t = 0; t < 200; ++t) {
    plain.advance(LoneBlock::input(t));
    full.advance(LoneBlock::input(t));
    ASSERT_TRUE(same_bits(plain.output(), full.output())) << t;
  }
}

TEST(Attention, AStreamingHeadThatSeesEverythingEqualsAFullOneBitForBit) {  // E2
  const AttentionConfig full{.heads = 3, .window = 64, .block = 16, .sink = 16, .local = 48};
  AttentionConfig sparse = full;
  sparse.modes = {HeadMode::stream, HeadMode::full, HeadMode::stream};
  Stream one(LoneBlock(full).model()), other(LoneBlock(sparse).model());
  bool equal = true;
  for (int t = 0; t < 100; ++t) {
    one.advance(LoneBlock::input(t));
    other.advance(LoneBlock::input(t));
    equal &= same_bits(one.output(), other.output());
    EXPECT_TRUE(equal || t >= 16 + 48) << t;
  }
  EXPECT_FALSE(equal) << "then it sees less";
}

// the laws of blocks but for the cost, which depends on the modes
void expect_modes_in_chunks_and_history(const AttentionConfig& config) {
  const Model model = LoneBlock(config).model();
  Stream steps(model, {.history = 30}), chunk(model), pieces(model);
  std::vector<float> x;
  std::int64_t macs = 0;
  for (int t = 0; t < 150; ++t) {
    const std::vector<float> row = LoneBlock::input(t);
    x.insert(x.end(), row.begin(), row.end());
    macs += steps.advance(row).macs;
  }
  EXPECT_EQ(chunk.advance_chunk(x).macs, macs);
  EXPECT_TRUE(same_state(chunk, steps));
  EXPECT_TRUE(same_bits(chunk.output(), steps.output()));
  for (std::size_t at = 0; at < 150; at += 13) {
    const std::size_t width = LoneBlock::kWidth, count = std::min<std::size_t>(13, 150 - at);
    pieces.advance_chunk(std::span(x).subspan(at * width, count * width));
  }
  EXPECT_TRUE(same_state(pieces, steps));
  ASSERT_TRUE(steps.rewind(30));
  for (int t = 120; t < 150; ++t) steps.advance(LoneBlock::input(t));
  EXPECT_TRUE(same_state(chunk, steps));
}

TEST(Attention, WithModesObeysTheLawsOfBlocks) {  // E4
  using enum HeadMode;
  const AttentionConfig sparse{.heads = 6,
                               .kv_heads = 3,
                               .window = 64,
                               .rotary = false,
                               .block = 16,
                               .sink = 16,
                               .local = 32,
                               .modes = {stream, full, stream}};
  expect_modes_in_chunks_and_history(sparse);
  AttentionConfig halved = sparse;
  halved.bfloat16_cache = true;
  expect_modes_in_chunks_and_history(halved);
  AttentionConfig chosen = sparse;
  chosen.modes = {blocks, full, stream};
  expect_modes_in_chunks_and_history(chosen);
  expect_modes_in_chunks_and_history({.heads = 3, .window = 32, .block = 32, .sink = 32});
}

TEST(Attention, ChargesTheBlocksThatItRead) {  // E9
  const Model model = LoneBlock(AttentionConfig{.heads = 6,
                                                .kv_heads = 3,
                                                .window = 64,
                                                .rotary = false,
                                                .block = 16,
                                                .sink = 16,
                                                .local = 16,
                                                .modes = {HeadMode::stream, HeadMode::full, HeadMode::stream}})
                          .model();
  const Attention& block = std::get<Attention>(model.network().layers[0].block);
  Stream stream(model);
  for (int t = 0; t < 200; ++t) {
    const AdvanceReport report = stream.advance(LoneBlock::input(t));
    const BlockReport& did = report.blocks[0];
    const auto at = static_cast<std::uint64_t>(t);
    EXPECT_EQ(did.blocks_read, 4 * count_blocks(block.window(), HeadMode::stream, at) +
                                   2 * count_blocks(block.window(), HeadMode::full, at));
    EXPECT_EQ(did.blocks_seen, 6 * count_blocks(block.window(), HeadMode::full, at));
    EXPECT_EQ(did.macs, block.projection_macs() + did.blocks_read * 2 * 16 * 1);
    EXPECT_EQ(did.heads_full, 2);
    EXPECT_LE(report.macs, model.macs());
  }
}

TEST(Attention, BfloatKeysAndValuesHalveTheStateAndCostThreeDigits) {
  AttentionConfig config{.heads = 1, .window = 64};
  ModelConfig model{.inputs = 3, .outputs = 2, .width = 32};
  model.blocks = {{.kind = config}};
  Stream exact(model_of(model));
  config.bfloat16_cache = true;
  model.blocks = {{.kind = config}};
  Stream halved(model_of(model));
  EXPECT_LT(halved.state().size(), exact.state().size() * 6 / 10);
  for (int t = 0; t < 150; ++t) {
    exact.advance(Input{3}(t));
    halved.advance(Input{3}(t));
    for (std::size_t i = 0; i < 2; ++i) ASSERT_NEAR(halved.output()[i], exact.output()[i], 0.02) << t;
  }
}

TEST(Attention, ObeysTheLawsOfBlocks) {
  expect_block_laws(AttentionConfig{.heads = 3, .kv_heads = 1, .window = 16});
  expect_block_laws(AttentionConfig{.heads = 2, .window = 5, .rotary = false});
}

TEST(Attention, ChargesAFullWindowAndReportsWhatWasThere) {
  const Model model = LoneBlock(AttentionConfig{.heads = 3, .window = 5}).model();
  Stream stream(model);
  for (int t = 0; t < 9; ++t) {
    const AdvanceReport report = stream.advance(LoneBlock::input(t));
    EXPECT_EQ(report.macs, model.macs());
    EXPECT_EQ(report.blocks[0].slots_read, std::min(t + 1, 5));
    EXPECT_EQ(report.blocks[0].heads_full, 3);
  }
}

TEST(Attention, DeclaresItsWindowAsARing) {
  const Model model = LoneBlock(AttentionConfig{.heads = 3, .kv_heads = 1, .window = 5}).model();
  const Attention& block = std::get<Attention>(model.network().layers[0].block);
  const StateClasses state = block.state();
  EXPECT_EQ(state.dense, 0);
  EXPECT_EQ(state.ring, block.window().floats());
  ASSERT_EQ(state.rings.size(), 2u);
  EXPECT_EQ(state.rings[0].count, block.kv);
  EXPECT_EQ(state.rings[1].count, padded(block.kv));
}

}  // namespace
}  // namespace elastane
