// Chooses the key blocks that a block of queries reads by scores along antidiagonals (XAttention, arXiv 2503.16428).
//
// Groups of 16 queries meet groups of 16 keys in one score each, which is a 16th of the work; a causal softmax over the
// groups, summed by blocks, estimates the weight of every block. Read are the first block, the diagonal one, and the
// fewest others that together have the wanted share of the weight.
#pragma once

#include "elastane/core/backbone/attention_scratch.h"

namespace elastane {

struct BlockChoice {
  int count;     // blocks that are left in the list
  double share;  // of the estimated weight that they hold
};

// what choose_blocks needs for itself
struct ChoiceScratch {
  Rows scores;            // [block/16][panels·block/16]
  Candidate* candidates;  // [panels]
  float* work;            // attend_rows_floats
};

// `list` is that of a full head for a block of queries from its first row on, in ascending order; keeps what is chosen,
// in that order. A threshold of 1 keeps everything.
BlockChoice choose_blocks(const Kernels& k, const AttentionShape& shape, const float* panels, int head, ConstRows q,
                          double threshold, const ChoiceScratch& scratch, KeyBlock* list, int count);

}  // namespace elastane
