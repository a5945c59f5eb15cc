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
  EXPECT_EQ(state.rings[0].count + state.rings[1].count, 2 * block.kv);
}

}  // namespace
}  // namespace elastane
