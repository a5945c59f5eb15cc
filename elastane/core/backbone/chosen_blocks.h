// Anytime attention: a head reads its sink and its newest blocks, then the best of the others until a budget is spent.
//
// A block's best possible score follows from the smallest and the largest key of its panel, channel by channel:
// q·k ≤ Σ_c max(q_c·low_c, q_c·high_c). Blocks are read in the order of that bound, so the answer after every block is
// the best so far, and the weight of what was left out is bounded as well. Nothing is trained.
#pragma once

#include "elastane/core/backbone/attention_scratch.h"

namespace elastane {

// takes the key of the step at `position` into the summary of its panel
void summarise(const Attention& block, const float* key, std::uint64_t position, float* ring);

// Reads row `row` with the heads that are in mode `blocks`, each with what its share of call.elastic.budget admits. On
// the counted clock the budget covers all that these heads read and the bounds; sink and newest blocks are always read.
void read_chosen(const Attention& block, const BlockCall& call, const AttentionScratch& scratch, int row);

}  // namespace elastane
