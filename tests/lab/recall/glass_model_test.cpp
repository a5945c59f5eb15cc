// lab/recall/glass_model.cpp: the same outputs as the engine, and what each query read.
#include "lab/recall/glass_model.h"

#include <gtest/gtest.h>

#include "elastane/core/stream/stream.h"
#include "lab/recall/observation.h"

namespace elastane::recall {
namespace {

ModelConfig small() {
  ModelConfig config{.inputs = kInputs, .outputs = kValues, .width = 32};
  for (const bool rotary : {true, false}) {
    config.blocks.push_back({.kind = AttentionConfig{.heads = 2, .window = 256, .rotary = rotary}});
    config.blocks.push_back({.kind = MlpConfig{.hidden = 48}});
  }
  return config;
}

std::vector<float> prompt(int length) {
  const Episode e = draw_episode(3, {.task = Task::recall, .length = length});
  std::vector<float> x(static_cast<std::size_t>(length) * kInputs);
  for (int t = 0; t < length; ++t)
    observe(e.steps[t], std::span(x).subspan(static_cast<std::size_t>(t) * kInputs, kInputs));
  return x;
}

TEST(GlassModel, SaysWhatTheEngineSays) {
  const ModelConfig config = small();
  const std::vector<Tensor> tensors = random_tensors(config, 5);
  const GlassModel glass = GlassModel::create(config, tensors).value();
  const std::vector<float> x = prompt(80);
  const Seen seen = glass.look(x, {});
  Stream stream(Model::create(config, tensors).value());
  for (int t = 0; t < 80; ++t) {
    stream.advance(std::span(x).subspan(static_cast<std::size_t>(t) * kInputs, kInputs));
    for (int i = 0; i < kValues; ++i) EXPECT_NEAR(stream.output()[i], seen.y[t * kValues + i], 2e-5) << t;
  }
}

TEST(GlassModel, CountsAndWeighsTheBlocksThatAreRead) {
  const GlassModel glass = GlassModel::create(small(), random_tensors(small(), 5)).value();
  const auto none_full = [](const AskedHead&) { return false; };
  std::int64_t before = 0;
  for (const int extra : {0, 1, 2, 10}) {
    for (const BlockRule rule : {BlockRule::nearest, BlockRule::mean, BlockRule::bound, BlockRule::exact}) {
      const Seen seen = glass.look(prompt(128), {.is_full = none_full, .rule = rule, .extra = extra});
      std::int64_t expected = 0;  // sink, two of the window, and what is granted
      for (int t = 0; t < 128; ++t) expected += std::min(t / 16 + 1, 3 + extra);
      EXPECT_EQ(seen.blocks_read, 2 * 2 * expected);
      EXPECT_GE(seen.blocks_read, before) << "more budget never reads fewer blocks";
      before = seen.blocks_read;
      const Reading& r = seen.readings[1];
      for (int t = 0; t < 128; ++t) {
        float sum = 0;
        for (int b = 0; b < r.blocks; ++b) {
          EXPECT_TRUE(r.read[r.at(1, t, b)] != 0 || r.mass[r.at(1, t, b)] == 0);
          sum += r.mass[r.at(1, t, b)];
        }
        EXPECT_NEAR(sum, 1, 1e-5);
      }
    }
  }
}

TEST(GlassModel, WithAllBlocksGrantedIsDense) {
  const GlassModel glass = GlassModel::create(small(), random_tensors(small(), 5)).value();
  const Seen dense = glass.look(prompt(128), {});
  const Seen all = glass.look(prompt(128), {.is_full = [](const AskedHead&) { return false; }, .extra = 100});
  EXPECT_EQ(dense.y, all.y);
}

TEST(GlassModel, RefusesOtherNetworks) {
  ModelConfig config = small();
  config.blocks[0].kind = GruConfig{};
  EXPECT_FALSE(GlassModel::create(config, random_tensors(config, 1)));
  EXPECT_FALSE(GlassModel::load("/nowhere.safetensors"));
  EXPECT_FALSE(GlassModel::create(small(), {}));
}

}  // namespace
}  // namespace elastane::recall
