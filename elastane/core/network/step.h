// ★ The algorithm. For now its first half: advance, z⁰ = f_θ(z, x), and the output y = g_φ(z⁰).
#pragma once

#include <cstdint>
#include <span>

#include "elastane/core/network/state.h"
#include "elastane/core/network/workspace.h"

namespace elastane {

inline constexpr float kLongestStep = 1e6F;  // a longer dt counts as this; whoever was away for longer should reset

// one observation of one stream
struct Sample {
  std::span<const float> x;               // a channel beyond its end is missing
  std::span<const std::uint8_t> present;  // 1 present, 0 missing; empty: all present
  float dt = 1.0F;                        // time since the stream's previous step
};

// what a step had to put up with
struct AdvanceReport {
  int missing = 0;            // channels that were not there
  int not_finite = 0;         // channels that were NaN, infinite or beyond 1e18, and so counted as missing
  bool time_ignored = false;  // dt was negative or NaN, and 1 was taken; or beyond kLongestStep, and that was
};

// Steps a tile of rows. Row r belongs to states[r]; rows that share a state must be neighbours, in order of time, and
// `independent` must then be false. Outputs are left in workspace.output. Cannot fail.
AdvanceReport advance(const Network& network, std::span<const Sample> samples, std::byte* const* states,
                      bool independent, Workspace& workspace);

}  // namespace elastane
