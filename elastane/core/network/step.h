// ★ The first half of a step: advance, z⁰ = f_θ(z, x), and the output y = g_φ(z⁰). The other half is core/corrector.
#pragma once

#include <cstdint>
#include <span>

#include "elastane/core/backbone/advance_report.h"
#include "elastane/core/network/state.h"
#include "elastane/core/network/workspace.h"

namespace elastane {

// one observation of one stream
struct Sample {
  std::span<const float> x;               // a channel beyond its end is missing
  std::span<const std::uint8_t> present;  // 1 present, 0 missing; empty: all present
  float dt = 1.0F;                        // time since the stream's previous step
};

// What a stream or a fleet was given for the elastic blocks of its model.
struct ElasticOptions {
  const RoutedBlock* routers = nullptr;  // of every block; or null
  Budget attention = {};                 // of one row in one block, for heads that choose their blocks
  Budget recursion = {};                 // of one row in one block, for iterations in depth

  ElasticCall of(std::size_t block) const {
    return {routers == nullptr ? RoutedBlock{} : routers[block], attention, recursion};
  }
};

// An empty report; its blocks lie in the workspace.
AdvanceReport begin_report(Workspace& workspace);

// Steps a tile of rows. Row r belongs to states[r]; rows that share a state must be neighbours, in order of time, and
// `independent` must then be false. Outputs are left in workspace.output, and what was done is added to the report,
// which must come from begin_report(workspace). Cannot fail.
void advance(const Network& network, std::span<const Sample> samples, std::byte* const* states, bool independent,
             Workspace& workspace, AdvanceReport& report, const ElasticOptions& elastic = {});

}  // namespace elastane
