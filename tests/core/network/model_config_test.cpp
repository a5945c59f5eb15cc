// Tests of elastane/core/network/model_config.cpp: which configurations are refused, and by which name.
#include "elastane/core/network/model_config.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/core/models.h"

namespace elastane {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

template <class Kind>
Kind& kind_at(ModelConfig& config, std::size_t i) {
  return std::get<Kind>(config.blocks[i].kind);
}

struct Rejection {
  const char* named;  // what the message must say
  std::function<void(ModelConfig&)> apply;
};

TEST(Validate, CountsACacheInBfloat16AsWhatItTakes) {
  ModelConfig config{.inputs = 1, .outputs = 1, .width = 64};
  config.blocks.assign(2, {.kind = AttentionConfig{.heads = 4, .window = 1 << 16}});
  EXPECT_FALSE(validate(config));
  for (BlockConfig& block : config.blocks) std::get<AttentionConfig>(block.kind).bfloat16_cache = true;
  EXPECT_TRUE(validate(config));
}

TEST(Validate, NamesEveryFieldThatIsOutOfRange) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<Rejection> rejections = {
      {"inputs: expected 1 to 65536, found 0", [](ModelConfig& c) { c.inputs = 0; }},
      {"inputs", [](ModelConfig& c) { c.inputs = -1; }},
      {"inputs", [](ModelConfig& c) { c.inputs = 65537; }},
      {"outputs", [](ModelConfig& c) { c.outputs = 0; }},
      {"outputs", [](ModelConfig& c) { c.outputs = 1'000'000'000; }},
      {"width", [](ModelConfig& c) { c.width = 0; }},
      {"width", [](ModelConfig& c) { c.width = 16385; }},
      {"blocks", [](ModelConfig& c) { c.blocks.clear(); }},
      {"blocks", [](ModelConfig& c) { c.blocks.resize(1025); }},
      {"head.hidden", [](ModelConfig& c) { c.head.hidden = {0}; }},
      {"head.hidden",
       [](ModelConfig& c) {
         c.head.hidden = {8, -8};
       }},
      {"head.hidden", [](ModelConfig& c) { c.head.hidden = std::vector<int>(65, 4); }},
      {"head.activation", [](ModelConfig& c) { c.head.activation = Activation::none; }},
      {"normaliser.decay: expected between 0 and 1, found 0", [](ModelConfig& c) { c.normaliser.decay = 0; }},
      {"normaliser.decay", [](ModelConfig& c) { c.normaliser.decay = 1; }},
      {"normaliser.decay", [=](ModelConfig& c) { c.normaliser.decay = kNan; }},
      {"normaliser.epsilon", [](ModelConfig& c) { c.normaliser.epsilon = 0; }},
      {"normaliser.epsilon", [=](ModelConfig& c) { c.normaliser.epsilon = kInfinity; }},
      {"normaliser.restore", [](ModelConfig& c) { c.normaliser.restore = {1}; }},
      {"normaliser.restore",
       [](ModelConfig& c) {
         c.normaliser.restore = {1, 3};
       }},
      {"normaliser.restore",
       [](ModelConfig& c) {
         c.normaliser.restore = {1, -2};
       }},
      {"normaliser.restore", [](ModelConfig& c) { c.normaliser.kind = NormaliserKind::none; }},
      {"blocks.0.s4d.state: expected an even number, found 3",
       [](ModelConfig& c) { kind_at<S4dConfig>(c, 0).state = 3; }},
      {"blocks.0.s4d.state", [](ModelConfig& c) { kind_at<S4dConfig>(c, 0).state = 0; }},
      {"blocks.0.s4d.state", [](ModelConfig& c) { kind_at<S4dConfig>(c, 0).state = 1026; }},
      {"blocks.1.mamba.state", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).state = 0; }},
      {"blocks.1.mamba.state", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).state = 1025; }},
      {"blocks.1.mamba.conv", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).conv = 0; }},
      {"blocks.1.mamba.conv", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).conv = 65; }},
      {"blocks.1.mamba.expand", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).expand = 0; }},
      {"blocks.1.mamba.expand", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).expand = 17; }},
      {"blocks.1.mamba.dt_rank", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).dt_rank = -1; }},
      {"blocks.1.mamba.dt_rank", [](ModelConfig& c) { kind_at<MambaConfig>(c, 1).dt_rank = 4097; }},
      {"blocks.2.attention.heads", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).heads = 0; }},
      {"blocks.2.attention.heads: expected a divisor of width 12, found 5",
       [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).heads = 5; }},
      {"blocks.2.attention.heads: expected an even head size",
       [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).heads = 4; }},
      {"blocks.2.attention.kv_heads", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).kv_heads = 4; }},
      {"blocks.2.attention.kv_heads: expected a divisor of heads 3, found 2",
       [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).kv_heads = 2; }},
      {"blocks.2.attention.kv_heads", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).kv_heads = -1; }},
      {"blocks.2.attention.window", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).window = 0; }},
      {"blocks.2.attention.window", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).window = 2'000'000; }},
      {"blocks.2.attention.rotary_base", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).rotary_base = 1; }},
      {"blocks.2.attention.block: expected 16, 32 or 64, found 20",
       [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).block = 20; }},
      {"blocks.2.attention.window: expected a multiple of block 16, found 40",
       [](ModelConfig& c) {
         kind_at<AttentionConfig>(c, 2) = {.heads = 3, .kv_heads = 1, .window = 40, .block = 16, .local = 16};
       }},
      {"blocks.2.attention.sink: expected a multiple of block 16, found 8",
       [](ModelConfig& c) {
         kind_at<AttentionConfig>(c, 2) = {.heads = 3, .kv_heads = 1, .window = 32, .block = 16, .sink = 8};
       }},
      {"blocks.2.attention.sink: expected at most the window 32, found 48",
       [](ModelConfig& c) {
         kind_at<AttentionConfig>(c, 2) = {.heads = 3, .kv_heads = 1, .window = 32, .block = 16, .sink = 48};
       }},
      {"blocks.2.attention.local: expected at most the window 32, found 48",
       [](ModelConfig& c) {
         kind_at<AttentionConfig>(c, 2) = {.heads = 3, .kv_heads = 1, .window = 32, .block = 16, .local = 48};
       }},
      {"blocks.2.attention.local: expected above 0 where heads are not full, found 0",
       [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).modes = {HeadMode::stream}; }},
      {"blocks.2.attention.modes: expected one entry for each of 1 key heads, or none, found 2",
       [](ModelConfig& c) {
         kind_at<AttentionConfig>(c, 2).modes = {HeadMode::full, HeadMode::full};
       }},
      {"blocks.2.attention.rotary_base", [=](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).rotary_base = kNan; }},
      {"blocks.2.attention.rotary_base", [](ModelConfig& c) { kind_at<AttentionConfig>(c, 2).rotary_base = 1e300; }},
      {"blocks.3.gru.hidden", [](ModelConfig& c) { kind_at<GruConfig>(c, 3).hidden = -1; }},
      {"blocks.3.gru.hidden", [](ModelConfig& c) { kind_at<GruConfig>(c, 3).hidden = 65537; }},
      {"blocks.3.gru.hidden: expected the width 12, or mix linear or glu, found 19",
       [](ModelConfig& c) { c.blocks[3].mix = Mix::none; }},
      {"blocks.4.lstm.hidden", [](ModelConfig& c) { kind_at<LstmConfig>(c, 4).hidden = -7; }},
      {"blocks.4.lstm.hidden", [](ModelConfig& c) { c.blocks[4].mix = Mix::none; }},
      {"blocks.7.mlp.hidden", [](ModelConfig& c) { kind_at<MlpConfig>(c, 7).hidden = -1; }},
      {"blocks.7.mlp.activation", [](ModelConfig& c) { kind_at<MlpConfig>(c, 7).activation = Activation::none; }},
      {"blocks.8.selective.hidden", [](ModelConfig& c) { kind_at<SelectiveConfig>(c, 8).hidden = -1; }},
      {"blocks.8.selective.hidden", [](ModelConfig& c) { kind_at<SelectiveConfig>(c, 8).hidden = 65537; }},
      {"blocks.8.selective.hidden: expected the width 12, or mix linear or glu, found 21",
       [](ModelConfig& c) { c.blocks[8].mix = Mix::none; }},
      {"state of one stream",
       [](ModelConfig& c) { c.blocks.assign(1024, {.kind = SelectiveConfig{.hidden = 65536}, .mix = Mix::linear}); }},
      {"state of one stream", [](ModelConfig& c) { c.width = 12000, kind_at<AttentionConfig>(c, 2).window = 1 << 18; }},
  };
  ASSERT_TRUE(validate(hybrid_config()));
  for (const Rejection& rejection : rejections) {
    ModelConfig config = hybrid_config();
    rejection.apply(config);
    const Status status = validate(config);
    ASSERT_FALSE(status) << rejection.named;
    EXPECT_TRUE(status.error().starts_with("[config] ")) << status.error();
    EXPECT_TRUE(contains(status.error(), rejection.named)) << status.error() << "\nshould name " << rejection.named;
    const auto model = Model::create(config, {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error(), status.error());
  }
}

TEST(Validate, AcceptsTheEdgesOfEveryRange) {
  ModelConfig config{.inputs = 65536, .outputs = 65536, .width = 16};
  config.normaliser = {.decay = 1e-12, .epsilon = 1e-300};
  config.head.hidden = {1, 65536};
  config.blocks = {{.kind = S4dConfig{.state = 2}},
                   {.kind = S4dConfig{.state = 1024}},
                   {.kind = MambaConfig{.state = 1, .conv = 1, .expand = 1, .dt_rank = 4096}},
                   {.kind = MambaConfig{.state = 1024, .conv = 64, .expand = 16}},
                   {.kind = GruConfig{.hidden = 65536}, .mix = Mix::linear},
                   {.kind = AttentionConfig{.heads = 16, .kv_heads = 16, .window = 1 << 12, .rotary = false}},
                   {.kind = AttentionConfig{.heads = 16, .kv_heads = 1, .window = 1 << 18, .rotary = false}},
                   {.kind = AttentionConfig{.heads = 2,
                                            .window = 64,
                                            .block = 16,
                                            .sink = 64,
                                            .local = 64,
                                            .modes = {HeadMode::stream, HeadMode::blocks}}},
                   {.kind = AttentionConfig{.heads = 1, .window = 1}},
                   {.kind = MlpConfig{.hidden = 65536}},
                   {.kind = SelectiveConfig{.hidden = 65536}, .mix = Mix::linear}};
  const Status status = validate(config);
  EXPECT_TRUE(status) << status.error();
}

TEST(Validate, WorksForTheSmallestModels) {
  for (const BlockKind& kind :
       {BlockKind(S4dConfig{.state = 2}), BlockKind(MambaConfig{.state = 1, .conv = 1, .expand = 1}),
        BlockKind(GruConfig{}), BlockKind(LstmConfig{}),
        BlockKind(AttentionConfig{.heads = 1, .window = 1, .rotary = false}), BlockKind(MlpConfig{.hidden = 1}),
        BlockKind(SelectiveConfig{})}) {
    ModelConfig config{.inputs = 1, .outputs = 1, .width = 1};
    config.blocks = {{.kind = kind}};
    Stream stream(model_of(config), {.history = 1});
    for (int t = 0; t < 5; ++t) stream.advance(std::vector<float>{1.0F}, 0.5F);
    EXPECT_TRUE(std::isfinite(stream.output()[0]));
    EXPECT_TRUE(stream.rewind(1));
  }
}

TEST(ModelConfig, RefusesInt8ForARecursion) {
  ModelConfig config{.weights = Precision::int8};
  config.blocks = {{.kind = RecursionConfig{}}};
  EXPECT_NE(validate(config).error().find("weights: expected float32 or bfloat16 for a recursion"), std::string::npos);
  config.blocks = {{.kind = GruConfig{}}};
  EXPECT_TRUE(validate(config));
}

}  // namespace
}  // namespace elastane
