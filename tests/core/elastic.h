// Small models whose attention heads have modes, and routers for them.
#pragma once

#include "elastane/core/backbone/head_router.h"
#include "elastane/core/network/network.h"
#include "tests/core/models.h"

namespace elastane {

inline constexpr HeadMode kFull = HeadMode::full, kBlocks = HeadMode::blocks, kStream = HeadMode::stream;

// two attention blocks with sink, local blocks and modes, and a mamba between them
inline ModelConfig elastic_config(std::vector<HeadMode> modes = {}, int window = 96) {
  ModelConfig config{.inputs = 3, .outputs = 2, .width = 12};
  const AttentionConfig attention{
      .heads = 6, .kv_heads = 3, .window = window, .block = 16, .sink = 16, .local = 32, .modes = std::move(modes)};
  config.blocks = {{.kind = attention}, {.kind = MambaConfig{.state = 3}}, {.kind = attention}};
  return config;
}

inline ScoringNetwork random_network(Random& random, int features, int hidden, int middle, int scores) {
  ScoringNetwork network;
  const auto fill = [&](std::vector<double>& values, int count) {
    for (int i = 0; i < count; ++i) values.push_back(random.normal());
  };
  fill(network.hidden_weight, hidden * features), fill(network.hidden_bias, hidden);
  fill(network.middle_weight, middle * hidden), fill(network.middle_bias, middle);
  fill(network.score_weight, scores * (middle > 0 ? middle : hidden)), fill(network.score_bias, scores);
  return network;
}

// decides now this way, now that way; every router but the first sees the code of the one before
inline RouterWeights random_router(const Model& model, std::uint64_t seed = 1) {
  Random random(seed);
  RouterWeights router{.model = model.fingerprint()};
  for (const Layer& layer : model.network().layers) {
    const auto* block = std::get_if<Attention>(&layer.block);
    if (block == nullptr) continue;
    const int seen = block->pools().features() + (router.layers.empty() ? 0 : 4);
    router.layers.push_back({.task = random_network(random, seen, 8, 0, 4),
                             .route = random_network(random, 4, 8, 5, block->shape.kv_heads)});
    for (double& w : router.layers.back().task.hidden_weight) w *= 4;
    for (double& b : router.layers.back().route.score_bias) b = 0;
  }
  return router;
}

inline std::vector<float> rows_of(int first, int count, int channels = 3) {
  std::vector<float> x;
  for (int t = first; t < first + count; ++t) {
    const std::vector<float> row = Input{channels}(t);
    x.insert(x.end(), row.begin(), row.end());
  }
  return x;
}

}  // namespace elastane
