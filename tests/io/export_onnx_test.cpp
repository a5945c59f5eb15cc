// Tests of elastane/io/export_onnx.cpp: the graph computes what the engine does. tests/onnx/run asks ONNX Runtime.
#include "elastane/io/export_onnx.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/stream/stream.h"
#include "tests/io/onnx_interpreter.h"

namespace elastane {
namespace {

BlockConfig block_of(auto kind, Norm norm = Norm::rms, Activation post = Activation::none, Mix mix = Mix::none,
                     bool residual = true) {
  return {.kind = kind, .norm = norm, .post = post, .mix = mix, .residual = residual};
}

ModelConfig config_of(std::vector<BlockConfig> blocks) {
  ModelConfig config;
  config.inputs = 3, config.outputs = 2, config.width = 6;
  config.blocks = std::move(blocks);
  return config;
}

// states of zeros for so many streams
OnnxArrays zero_states(const OnnxGraph& graph, std::int64_t streams) {
  OnnxArrays out;
  for (const OnnxValue& value : graph.inputs) {
    Shape shape = value.shape;
    shape[0] = streams;
    out[value.name] = {shape, std::vector<double>(static_cast<std::size_t>(element_count(shape)))};
  }
  return out;
}

// two streams in the graph, each against a stream of the engine
void expect_same(const ModelConfig& config, int steps = 12) {
  const std::vector<Tensor> tensors = random_tensors(config, 3);
  // through a file's bytes and back
  const auto exported = export_onnx(config, tensors, "m");
  ASSERT_TRUE(exported) << exported.error();
  OnnxGraph graph = parse_onnx(format_onnx(*exported), "m.onnx").value();
  OnnxArrays feeds = zero_states(*exported, 2);
  const OnnxInterpreter interpreter(graph);
  const Model model = Model::create(config, tensors, {}, "m").value();
  Stream one(model), two(model);
  Random random(7);
  for (int t = 0; t < steps; ++t) {
    std::vector<float> a(3), b(3);
    for (float& x : a) x = static_cast<float>(random.normal());
    for (float& x : b) x = static_cast<float>(random.normal());
    feeds["input"].values.assign(a.begin(), a.end());
    feeds["input"].values.insert(feeds["input"].values.end(), b.begin(), b.end());
    OnnxArrays results = interpreter.run(feeds);
    one.advance(a), two.advance(b);
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_NEAR(results.at("output").values[i], one.output()[i], 1e-5) << t;
      ASSERT_NEAR(results.at("output").values[2 + i], two.output()[i], 1e-5) << t;
    }
    for (auto& [name, value] : feeds) {
      if (name != "input") value = results.at(name + ".next");
    }
  }
}

TEST(ExportOnnx, EveryBlockComputesWhatTheEngineDoes) {
  expect_same(config_of({block_of(GruConfig{.hidden = 5}, Norm::none, Activation::none, Mix::linear, false)}));
  expect_same(config_of({block_of(LstmConfig{.hidden = 7}, Norm::layer, Activation::gelu, Mix::glu)}));
  expect_same(config_of({block_of(MlpConfig{.hidden = 9, .activation = Activation::silu, .gated = true})}));
  expect_same(config_of({block_of(MlpConfig{})}));
  expect_same(config_of({block_of(S4dConfig{.state = 4}, Norm::layer, Activation::tanh, Mix::glu)}));
  expect_same(config_of({block_of(S4dConfig{.state = 2, .discretisation = Discretisation::bilinear})}));
  expect_same(config_of({block_of(MambaConfig{.state = 3})}));
  expect_same(config_of({block_of(MambaConfig{.state = 2, .conv = 1, .expand = 1, .dt_rank = 2})}));
  expect_same(config_of({block_of(SelectiveConfig{.hidden = 4}, Norm::rms, Activation::silu, Mix::linear)}));
}

TEST(ExportOnnx, StacksHeadsNormalisersAndMasksAreInTheGraph) {
  ModelConfig config = config_of({block_of(MambaConfig{.state = 3}), block_of(MlpConfig{}), block_of(GruConfig{})});
  config.head = {.hidden = {5, 4}, .activation = Activation::silu};
  config.norm = Norm::layer;
  config.mask_input = true;
  config.normaliser = {.kind = NormaliserKind::running, .decay = 0.9, .epsilon = 1e-4, .restore = {2, -1}};
  expect_same(config);
  config.weights = Precision::bfloat16;
  expect_same(config);
}

TEST(ExportOnnx, StatesAreInputsAndOutputs) {
  const ModelConfig config = config_of({block_of(LstmConfig{.hidden = 5}, Norm::none, Activation::none, Mix::linear)});
  const OnnxGraph graph = export_onnx(config, random_tensors(config, 1), "m").value();
  ASSERT_EQ(graph.inputs.size(), 3U);
  ASSERT_EQ(graph.outputs.size(), 3U);
  EXPECT_EQ(graph.inputs[0].name, "input");
  EXPECT_EQ(graph.inputs[1].name, "blocks.0.lstm.h");
  EXPECT_EQ(graph.outputs[0].name, "output");
  EXPECT_EQ(graph.outputs[2].name, "blocks.0.lstm.c.next");
  EXPECT_EQ(graph.outputs[2].shape, (Shape{-1, 5}));
}

TEST(ExportOnnx, WhatHasNoGraphIsRefusedWithTheReason) {
  const auto refusal = [](const ModelConfig& config) {
    const auto graph = export_onnx(config, random_tensors(config, 1), "m.safetensors");
    return graph ? "" : graph.error();
  };
  ModelConfig config = config_of({block_of(MlpConfig{}), block_of(AttentionConfig{.heads = 3})});
  EXPECT_EQ(
      refusal(config),
      "[export] m.safetensors: blocks.1: expected gru, lstm, mlp, s4d, mamba or selective, found attention, which "
      "has no graph");
  config = config_of({block_of(GruConfig{})});
  config.learned_start = true;
  EXPECT_NE(refusal(config).find("learned_start"), std::string::npos);
  config.learned_start = false;
  EXPECT_NE(export_onnx(config, {}, "m").error().find("encoder.weight"), std::string::npos);
}

}  // namespace
}  // namespace elastane
