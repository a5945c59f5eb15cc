// A small glass model with random weights, for tests.
#pragma once

#include "lab/recall/glass_model.h"
#include "lab/recall/observation.h"

namespace elastane::recall {

inline ModelConfig glass_config() {
  ModelConfig config{.inputs = kInputs, .outputs = kValues, .width = 16};
  config.blocks = {{.kind = AttentionConfig{.heads = 2, .window = 256}}, {.kind = MlpConfig{.hidden = 16}}};
  return config;
}

inline GlassModel random_glass() {
  return GlassModel::create(glass_config(), random_tensors(glass_config(), 1)).value();
}

}  // namespace elastane::recall
