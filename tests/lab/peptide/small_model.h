// A small untrained network for tests.
#pragma once

#include "elastane/core/network/model.h"
#include "lab/peptide/observation.h"

namespace elastane::peptide {

inline Model small_model() {
  ModelConfig config{.inputs = kInputs, .outputs = kOutputs, .width = 16};
  config.blocks = {BlockConfig{.kind = SelectiveConfig{}}};
  config.head = {.hidden = {16}, .activation = Activation::silu};
  return Model::create(config, random_tensors(config, 5)).value();
}

}  // namespace elastane::peptide
