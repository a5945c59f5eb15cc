// The parts of a step, for those that take them one by one: advance (step.cpp) and prefill.
#pragma once

#include "elastane/core/network/step.h"

namespace elastane {

// inputs to h before the first block, in workspace.hidden; fills workspace.row and moves the streams' positions on
void encode_tile(const Network& network, std::span<const Sample> samples, std::byte* const* states,
                 Workspace& workspace, AdvanceReport& report);

// u = norm(h)
void apply_norm(const Network& network, const NormWeights& norm, ConstRows h, Rows u);
// h ← h + mix(post(o))
void mix_in(const Network& network, const Layer& layer, Rows o, float* scratch, Rows h);
// h ← h + mix(post(block(norm(h)))) for the rows of workspace.row
void run_layer(const Network& network, std::size_t index, bool independent, Rows h, Workspace& workspace,
               const ElasticOptions& elastic, AdvanceReport& report);

// y = head(norm(h)) on the level and scale of the inputs, in workspace.output
void decode_tile(const Network& network, Rows h, Workspace& workspace, AdvanceReport& report);

}  // namespace elastane
