// The limits of this core, measured: bandwidth of a working set, and multiply-adds per microsecond.
#pragma once

#include <cstddef>

namespace elastane::bench {

// microseconds to read that many bytes; repeated, so they come from the cache that holds them
double read_micros(std::size_t bytes);

// float32, on registers alone
double multiply_adds_per_micro();
// the same over two milliseconds of processor time, the best of several turns: what long work on a shared core can reach
double sustained_multiply_adds_per_micro(int turns = 8);

}  // namespace elastane::bench
