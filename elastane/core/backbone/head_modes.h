// What a head of attention reads: all of the window, a sink and the newest blocks, or blocks that are chosen.
//
// A query at position t is in query block b = t / block. A full head sees the sink and the last `window` steps. A
// streaming head sees the sink and the key blocks b − local + 1 … b (in blocks), cut at the diagonal. The list of panels
// in ascending order is also the cost: every panel takes 2·block·size multiply-adds for each query.
#pragma once

#include <cstdint>

#include "elastane/core/backbone/key_value_window.h"
#include "elastane/core/base/block_configs.h"

namespace elastane {

// the most panels that a query, or rows of one query block, can read
inline int most_blocks(const AttentionShape& shape) { return shape.panels(); }

// The panels that rows of queries from `position` on read; the rows lie in one query block. A head in mode `blocks`
// first reads what a streaming head reads. Returns their number; `list` has room for most_blocks.
int list_blocks(const KeyValueWindow& window, HeadMode mode, std::uint64_t position, KeyBlock* list);

// how many that are for the query at `position`
int count_blocks(const KeyValueWindow& window, HeadMode mode, std::uint64_t position);

// key block `block` as rows from `position` on see it
KeyBlock key_block(const KeyValueWindow& window, std::uint64_t block, std::uint64_t position);

// of a full head: its oldest key block after the sink
std::uint64_t oldest_block(const KeyValueWindow& window, std::uint64_t position);

}  // namespace elastane
