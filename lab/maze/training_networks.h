// The networks that a map with a corrector is compared with: stacks of blocks, trained in rounds on the same walks.
#pragma once

#include <cstdint>
#include <string>

#include "lab/training/rounds.h"

namespace elastane::maze {

struct NetworkTraining {
  std::string network;         // ssm, transformer, hybrid, transformer_map
  std::string size = "large";  // small, large: a width of 32 or 64
  int rounds = 8;
  int walks = 4096;  // per round
};

lab::TrainingRounds network_rounds(const NetworkTraining& options, std::uint64_t seed);

}  // namespace elastane::maze
