// What a model's blocks are and what they take, for `elastane inspect` and other reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "elastane/core/network/model.h"

namespace elastane {

struct BlockSummary {
  std::string kind;
  std::string settings;   // "state 16, conv 4, expand 2"; may be empty
  std::int64_t macs = 0;  // multiply-adds of one step, at most
  std::size_t dense = 0;  // bytes of state per stream, by class
  std::size_t ring = 0;
  std::size_t slow = 0;
  int latents = 0;  // values that a corrector may move
};

// one per block, in the order of a step
std::vector<BlockSummary> summarise_blocks(const Model& model);

// "12345 multiply-adds; state 640 bytes dense, 512 slow"
std::string cost_text(const BlockSummary& block);

}  // namespace elastane
