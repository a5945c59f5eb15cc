// A head: which move to take, from what a map says around the walker.
//
//   a = σ(Wf + b),  score = vᵀa,  σ(x) = x/(1 + |x|)            the same for each move; the highest is taken
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/maze/language.h"
#include "lab/maze/map_features.h"

namespace elastane::maze {

inline constexpr int kHeadHidden = 16;

struct Head {
  //                                  meaning   shape
  std::vector<double> weight = {};  // W         [kHeadHidden][kMoveFeatures]
  std::vector<double> bias = {};    // b         [kHeadHidden]
  std::vector<double> score = {};   // v         [kHeadHidden]

  bool present() const { return !score.empty(); }
  static std::int64_t macs(int ways) { return std::int64_t{ways} * kHeadHidden * (kMoveFeatures + 1); }
  double judge(const MoveFeatures& f) const;
};

using Scores = std::array<double, kMostWays>;
void judge(const Head& head, const Around& around, Moves moves, std::span<double> scores);

// −Σ share log softmax(score), over the moves that look free
double surprise(const Sight& sight, std::span<const double> scores, std::span<const double> shares);

}  // namespace elastane::maze
