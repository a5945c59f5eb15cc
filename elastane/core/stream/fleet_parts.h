// What a Fleet is made of, hidden from its header.
#pragma once

#include <cstddef>

#include "elastane/core/network/model.h"
#include "elastane/core/network/step.h"

namespace elastane {

struct FleetParts {
  Model model;
  int streams;
  Buffer states;   // [stream][layout.size]
  Buffer outputs;  // [stream][outputs]
  Workspace workspace;

  FleetParts(const Model& shared, int count);

  std::size_t stride() const { return model.network().layout.size; }
  std::byte* state(int stream) { return states.data() + static_cast<std::size_t>(stream) * stride(); }
  const std::byte* state(int stream) const { return states.data() + static_cast<std::size_t>(stream) * stride(); }
  float* output(int stream) {
    return reinterpret_cast<float*>(outputs.data()) +
           static_cast<std::ptrdiff_t>(stream) * model.network().config.outputs;
  }
};

}  // namespace elastane
