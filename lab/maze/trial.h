// How an agent does in mazes of no benchmark, to look at while it learns and to choose by.
//
//   TrialScore score = try_out(agent, {.mazes = 512});
#pragma once

#include "lab/maze/agent.h"
#include "lab/maze/lattice.h"

namespace elastane::maze {

inline constexpr std::uint64_t kTrials = 1ULL << 61U;  // seeds of their mazes; nobody learns from them

struct TrialOptions {
  LatticeOptions lattice;
  int mazes = 512;
};

struct TrialScore {
  double within_2 = 0, within_3 = 0, within_4 = 0;  // shares of mazes: the goal reached within so many shortest ways
  double depth = 0, idle = 0, macs = 0;             // a step: micro-steps, share without any, counted multiply-adds
};

TrialScore try_out(Agent& agent, const TrialOptions& options);

}  // namespace elastane::maze
