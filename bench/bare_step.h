// The bare Gauss–Newton step: y, J, and v = −(λI + JᵀWJ)⁻¹Jᵀ∇ℓ at a point. No rollout, no trust region, no commit.
#pragma once

#include <optional>
#include <vector>

#include "bench/timing.h"
#include "elastane/core/network/model.h"

namespace elastane::bench {

// how long it takes at points along a corrected stream
Timed time_bare_step(const Model& model, int steps);

// The same by other libraries, in float32, for 64 latents; nothing if elastane-tinysolver is not built. Throws if their
// results differ.
struct BareRivals {
  double tinysolver = 0;  // p50 in µs of Ceres' TinySolver
  double eigen = 0;       // p50 in µs of Eigen in the outputs' space, as we do it
};
std::optional<BareRivals> ask_bare_rivals(const ModelConfig& config, std::span<const Tensor> tensors, int steps);

}  // namespace elastane::bench
