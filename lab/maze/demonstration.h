// What a policy learns from: walks through mazes of its own, with what the re-planner would have done at every step,
// whoever walked (DAgger, Ross et al. 2011).
//
//   Demonstration shown = demonstrate({.lattice = {.size = 15}, .driver = &model}, seed);
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/network/model.h"
#include "lab/maze/language.h"
#include "lab/maze/lattice.h"
#include "lab/maze/map_features.h"

namespace elastane::maze {

inline constexpr std::uint64_t kLessons = 1ULL << 62U;  // seeds of mazes to learn from; benchmarks have smaller ones

struct DemonstrationOptions {
  LatticeOptions lattice;
  int steps = 96;                 // of a walk at most; it ends at the goal
  double stray = 0.05;            // share of steps that go anywhere
  const Model* driver = nullptr;  // who walks: a policy, or the re-planner
  double expert_share = 0.1;      // of walks that the re-planner makes all the same
  bool map = false;               // the network is told of a map as well, which nobody refines (map_features.h)

  int inputs() const { return kInputs + (map ? kMapInputs : 0); }
};

struct Demonstration {
  std::vector<float> x;       // [steps][inputs]
  std::vector<float> target;  // [steps][kOutputs]: the share of each move
};

// from (options, seed) alone; the mazes are not those of any benchmark
Demonstration demonstrate(const DemonstrationOptions& options, std::uint64_t seed);

}  // namespace elastane::maze
