// What a head and a gate learn from: walks through mazes of their own, and at every step what each depth of refinement
// would have shown the head, beside what the re-planner would have done. No gradient goes through time.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/allocation/depth_examples.h"
#include "lab/maze/demonstration.h"
#include "lab/maze/map_agent.h"

namespace elastane::maze {

inline constexpr int kLessonWays = 4;  // lessons are on lattices

struct LessonOptions {
  LatticeOptions lattice;
  Mind mind;                  // who walks, and whose depths are tried
  double expert_share = 0.2;  // of walks that the re-planner makes all the same; all of them without a head
  double stray = 0.05;        // share of steps that go anywhere
};

struct HeadLessons {
  //                              meaning                                                 shape
  std::vector<float>
      features;  // what the head sees, move by move                        [N][kDepth + 1][4][kMoveFeatures]
  std::vector<float> shares;   // of the moves that the re-planner would make             [N][4]
  std::vector<float> open;     // 1 for moves that look free                              [N][4]
  std::vector<float> weights;  // how likely the mind's gate goes so deep                 [N][kDepth + 1]

  std::size_t size() const { return shares.size() / kLessonWays; }
};

// What a depth comes to: how much the moves of the head surprise the re-planner, now and over the next steps if nothing
// more is refined. Thinking in a dead end, where there is but one move, pays on the way out
struct Situation {
  const MapLatent& map;
  const Head& head;
  const Walk& walk;
  const Replanner& expert;
  const Sight& sight;
};
double loss_ahead(const Situation& now, std::span<const double> z);

// one walk of a seed each
void gather(const LessonOptions& options, std::uint64_t seed, HeadLessons& lessons);
void gather(const LessonOptions& options, std::uint64_t seed, DepthExamples& lessons);

// counted cost of a step at each depth, in units of kCostUnit multiply-adds
inline constexpr double kCostUnit = 1e4;
std::vector<double> depth_costs(const MapShape& shape, const Mind& mind);

// the corrector of a mind with all of its depths
CorrectorOptions all_depths(const Mind& mind);

}  // namespace elastane::maze
