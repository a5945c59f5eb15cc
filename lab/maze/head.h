// The head of an agent with a map: scores every move by the map around the agent.
//
//   a = σ(Wf + b),  score = vᵀa,  σ(x) = x/(1 + |x|)        the same weights for every move; the highest score is taken
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/maze/map_features.h"
#include "lab/maze/observation.h"

namespace elastane::maze {

inline constexpr int kHeadHidden = 16;

struct Head {
  //                                  meaning   shape
  std::vector<double> weight = {};  // W         [kHeadHidden][kMoveFeatures]
  std::vector<double> bias = {};    // b         [kHeadHidden]
  std::vector<double> score = {};   // v         [kHeadHidden]

  bool present() const { return !score.empty(); }
  static std::int64_t macs(int moves) { return std::int64_t{moves} * kHeadHidden * (kMoveFeatures + 1); }
  double score_of(const MoveFeatures& f) const;
};

using Scores = std::array<double, kMaxMoves>;
void score_moves(const Head& head, const AllMoveFeatures& features, Moves moves, std::span<double> scores);

// −Σ share log softmax(score), over the moves that look free
double cross_entropy(const Observation& observation, std::span<const double> scores, std::span<const double> shares);

}  // namespace elastane::maze
