// Training examples for heads and gates: walks through training mazes. Each step records the features that the head would
// get at every depth of refinement, or the loss of every depth, and what the expert would do. No gradient goes through
// time.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/allocation/depth_examples.h"
#include "lab/maze/demonstration.h"
#include "lab/maze/map_agent.h"

namespace elastane::maze {

inline constexpr int kLatticeMoves = 4;  // training mazes are lattices

struct ExampleOptions {
  LatticeOptions lattice;
  AgentConfig config;         // of the agent that walks and whose depths are tried
  double expert_share = 0.2;  // share of walks that the expert makes in any case; 1 without a head
  double stray = 0.05;        // share of random moves
};

struct HeadExamples {
  //                               meaning                                 shape
  std::vector<float> features;  // inputs of the head, for each move       [N][kDepth + 1][4][kMoveFeatures]
  std::vector<float> shares;    // of the moves that the expert would take [N][4]
  std::vector<float> open;      // 1 for moves that look free              [N][4]
  std::vector<float> weights;   // probability of each depth by the gate   [N][kDepth + 1]

  std::size_t size() const { return shares.size() / kLatticeMoves; }
};

// The loss of a depth: cross entropy between the expert and the head, now and over the next steps without further
// refinement. So refinement in a dead end, where only one move is free, pays off later.
struct Situation {
  const MapLatent& map;
  const Head& head;
  const Environment& environment;
  const Expert& expert;
  const Observation& observation;
};
double loss_ahead(const Situation& now, std::span<const double> z);

// adds the examples of one walk
void gather(const ExampleOptions& options, std::uint64_t seed, HeadExamples& examples);
void gather(const ExampleOptions& options, std::uint64_t seed, DepthExamples& examples);

// cost of a step at each depth, in units of kCostUnit multiply-adds
inline constexpr double kCostUnit = 1e4;
std::vector<double> depth_costs(const MapShape& shape, const AgentConfig& config);

// the corrector of a configuration, with all depths granted
CorrectorOptions all_depths(const AgentConfig& config);

}  // namespace elastane::maze
