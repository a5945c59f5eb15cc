// Validation score, for monitoring and model selection.
//
//   TrialScore score = try_out(agent, {.mazes = 512});
#pragma once

#include "lab/maze/agent.h"
#include "lab/maze/lattice.h"

namespace elastane::maze {

inline constexpr std::uint64_t kValidationSeeds = 1ULL
                                                  << 61U;  // of validation mazes; not used for training or benchmarks

struct ValidationOptions {
  LatticeOptions lattice;
  int mazes = 512;
};

struct ValidationScore {
  double within_2 = 0, within_3 = 0, within_4 = 0;  // shares of mazes solved within 2, 3, 4 x the shortest path
  double depth = 0, idle = 0, macs = 0;             // per step: micro-steps, share without any, multiply-adds
};

ValidationScore validation_score(Agent& agent, const ValidationOptions& options);

}  // namespace elastane::maze
