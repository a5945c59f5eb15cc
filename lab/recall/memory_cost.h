// Microseconds per token and bytes of a memory and of attention, from a thousand to two million tokens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elastane/core/backbone/associative_memory.h"

namespace elastane::recall {

struct CostPoint {
  std::string model;
  std::int64_t tokens = 0, bytes = 0;
  double p50_us = 0;
};

// Steps of one memory, one after the other; at each of `tokens` the median of the steps before it, in batches of 16.
std::vector<CostPoint> time_memory(const std::string& name, const AssociativeMemory& memory,
                                   const std::vector<std::int64_t>& tokens);
// One query of one head over so many keys.
CostPoint time_attention(int size, std::int64_t tokens);

}  // namespace elastane::recall
