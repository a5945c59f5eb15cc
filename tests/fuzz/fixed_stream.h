// The stream whose snapshots are fuzzed: every kind of block, some steps into its life.
#pragma once

#include "tests/core/models.h"

namespace elastane {

inline Stream fixed_stream(int steps) {
  ModelConfig config = hybrid_config();
  config.width = 6;
  Stream stream(model_of(config), {.history = 2});
  for (int t = 0; t < steps; ++t) stream.advance(Input{config.inputs}(t));
  return stream;
}

}  // namespace elastane
