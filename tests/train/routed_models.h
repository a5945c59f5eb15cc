// Small models with attention and sequences to route, for tests.
#pragma once

#include "elastane/train/routed_model.h"

namespace elastane::train {

inline constexpr StreamingMask kSmallMask = {.block = 4, .sink = 4, .local = 8};

inline ModelConfig attention_config(int layers = 2, int heads = 2, int kv_heads = 0) {
  ModelConfig config{.inputs = 6, .outputs = 4, .width = 8};
  for (int i = 0; i < layers; ++i) {
    config.blocks.push_back(
        {.kind = AttentionConfig{.heads = heads, .kv_heads = kv_heads, .window = 64, .rotary = i == 0}});
    config.blocks.push_back({.kind = MlpConfig{.hidden = 16}});
  }
  return config;
}

inline SequenceModel attention_model(const ModelConfig& config, std::uint64_t seed = 1, double scale = 1) {
  std::vector<elastane::Tensor> tensors = random_tensors(config, seed);
  for (elastane::Tensor& t : tensors) {
    // larger projections make attention sharp, so that modes matter
    if (t.name.find("_proj") == std::string::npos) continue;
    for (float& v : t.values) v *= static_cast<float>(scale);
  }
  return SequenceModel::create(config, tensors).value();
}

// labels in the last block of four steps
inline RouterData random_data(int count, int length = 32, std::uint64_t seed = 1) {
  at::manual_seed(seed);
  RouterData data = {at::randn({count, length, 6}), at::full({count, length, 4}, NAN),
                     at::arange(count, at::kLong).remainder(2)};
  for (int i = 0; i < count; ++i) {
    for (int t = length - 4; t < length; ++t) {
      data.target[i][t].zero_();
      data.target[i][t][(i + t) % 4] = 1;
    }
  }
  return data;
}

}  // namespace elastane::train
