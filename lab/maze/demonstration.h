// Demonstrations for policies: walks through training mazes, labelled at every step with what the expert would have done,
// no matter who walks (DAgger, Ross et al. 2011).
//
//   Demonstration shown = demonstrate({.lattice = {.size = 15}, .driver = &model}, seed);
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/network/model.h"
#include "lab/maze/lattice.h"
#include "lab/maze/map_features.h"
#include "lab/maze/observation.h"

namespace elastane::maze {

inline constexpr std::uint64_t kTrainingSeeds = 1ULL << 62U;  // of training mazes; benchmarks have smaller seeds

struct DemonstrationOptions {
  LatticeOptions lattice;
  int steps = 96;                 // at most, per walk; a walk ends at the goal
  double stray = 0.05;            // share of random moves
  const Model* driver = nullptr;  // the policy that walks; null: the expert
  double expert_share = 0.1;      // share of walks that the expert makes in any case
  bool map = false;               // the network also receives a map, without refinement (map_features.h)

  int inputs() const { return kInputs + (map ? kMapInputs : 0); }
};

struct Demonstration {
  std::vector<float> x;       // [steps][inputs]
  std::vector<float> target;  // [steps][kOutputs]: the share of each move
};

// depends on (options, seed) only; the mazes are in no benchmark
Demonstration demonstrate(const DemonstrationOptions& options, std::uint64_t seed);

}  // namespace elastane::maze
