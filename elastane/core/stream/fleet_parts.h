// What a Fleet is made of, hidden from its header.
#pragma once

#include <cstddef>

#include "elastane/core/network/model.h"
#include "elastane/core/network/step.h"
#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/routing.h"

namespace elastane {

struct FleetParts {
  Model model;
  Routing routing;
  int streams;
  Buffer states;   // [stream][layout.size]
  Buffer outputs;  // [stream][outputs]
  Workspace workspace;

  FleetParts(const Model& shared, int count, const FleetOptions& options);

  std::uint64_t fingerprint() const { return model.fingerprint() ^ routing.fingerprint(); }

  std::size_t stride() const { return model.network().layout.size; }
  std::byte* state(int stream) { return states.data() + static_cast<std::size_t>(stream) * stride(); }
  const std::byte* state(int stream) const { return states.data() + static_cast<std::size_t>(stream) * stride(); }
  float* output(int stream) {
    return reinterpret_cast<float*>(outputs.data()) +
           static_cast<std::ptrdiff_t>(stream) * model.network().config.outputs;
  }
};

}  // namespace elastane
