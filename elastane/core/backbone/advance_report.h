// What an advance found in its input, what it cost, and what each block did; summed over rows that advance together.
#pragma once

#include <cstdint>
#include <span>

namespace elastane {

// What one block did. Zero where a block has no such choice.
struct BlockReport {
  // Counted multiply-adds. A block whose cost does not depend on the data charges macs() per row. Attention without
  // sparse modes is one of them: it charges a full window from the first step on, so that a table compares models and
  // not the lengths of runs; slots_read says what was there. With sparse modes it charges the blocks that it read.
  std::int64_t macs = 0;
  std::int64_t slots_read = 0;   // earlier steps that a window held, the present one included
  std::int64_t heads_full = 0;   // heads that attended to all of them
  std::int64_t blocks_read = 0;  // key blocks, summed over query heads: each takes 2·block·size multiply-adds
  std::int64_t blocks_seen = 0;  // what they would be if all heads were full; their ratio is the density
  // of heads that choose their blocks: the largest share of a head's weights that may lie in what was not read, in
  // parts per million. A bound, and a loose one
  std::int64_t left_out = 0;
  std::int64_t depth = 0;      // iterations of a recursion in depth
  std::int64_t certified = 0;  // rows whose fixed point is proven to be within the tolerance, or whose class is
  double bound = 0;            // largest proven distance to a fixed point among the rows; infinite: nothing is known
  std::int64_t tokens_written = 0;  // to a memory
  std::int64_t surprise = 0;        // of a memory: the largest ‖e‖²/‖v‖² of a row, in parts per million

  BlockReport& operator+=(const BlockReport& other) {
    macs += other.macs;
    slots_read += other.slots_read;
    heads_full += other.heads_full;
    blocks_read += other.blocks_read;
    blocks_seen += other.blocks_seen;
    left_out = left_out > other.left_out ? left_out : other.left_out;
    depth += other.depth;
    certified += other.certified;
    bound = bound > other.bound ? bound : other.bound;
    tokens_written += other.tokens_written;
    surprise = surprise > other.surprise ? surprise : other.surprise;
    return *this;
  }
  bool operator==(const BlockReport&) const = default;
};

inline constexpr float kLongestStep = 1e6F;  // a longer dt counts as this; after a longer pause, reset

// What an advance was given and what it took, summed over its rows.
struct AdvanceReport {
  int missing = 0;            // channels that were not there
  int not_finite = 0;         // channels that were NaN, infinite or beyond 1e18, and so counted as missing
  bool time_ignored = false;  // dt was negative or NaN, and 1 was taken; or beyond kLongestStep, and that was
  std::int64_t macs = 0;      // counted multiply-adds of encoder, blocks, mixes and head; see BlockReport::macs
  std::span<const BlockReport> blocks = {};  // of every block; a view into the stream, until its next advance
};

}  // namespace elastane
