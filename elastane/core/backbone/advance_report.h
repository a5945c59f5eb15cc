// What an advance found in its input, what it cost, and what each block did; summed over rows that advance together.
#pragma once

#include <cstdint>
#include <span>

namespace elastane {

// What one block did. Zero where a block has no such choice.
struct BlockReport {
  // Counted multiply-adds. A block whose cost does not depend on the data charges macs() per row. Attention is one of
  // them: it charges a full window from the first step on, so that a table compares models and not the lengths of runs;
  // slots_read says what was there.
  std::int64_t macs = 0;
  std::int64_t slots_read = 0;      // earlier steps that a window held, the present one included
  std::int64_t heads_full = 0;      // heads that attended to all of them
  std::int64_t depth = 0;           // iterations of a recursion in depth
  std::int64_t tokens_written = 0;  // to a memory

  BlockReport& operator+=(const BlockReport& other) {
    macs += other.macs;
    slots_read += other.slots_read;
    heads_full += other.heads_full;
    depth += other.depth;
    tokens_written += other.tokens_written;
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
