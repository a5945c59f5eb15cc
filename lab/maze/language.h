// What a network is told of a step in a maze, and what it says.
//
//   inputs   [view | position | goal | last move | bumped]
//   outputs  logits of the four moves
//
// Positions are told as they are and as waves of 3, 9, 27 and 81 cells, so that a network can tell one cell from its
// neighbour, and where in the lattice it is; the goal as seen from the walker.
#pragma once

#include <cmath>
#include <numbers>
#include <span>

#include "lab/maze/walk.h"

namespace elastane::maze {

inline constexpr int kWaves = 4, kPositionInputs = 2 * (1 + 2 * kWaves);
inline constexpr int kInputs = kViewCells + kPositionInputs + 2 + 4 + 1;
inline constexpr int kOutputs = 4;
inline constexpr double kPlaceUnit = 27;  // cells, is 1 to the network

inline void speak(const Sight& sight, std::span<float> x) {
  std::size_t i = 0;
  const auto say = [&](double value) { x[i++] = static_cast<float>(value); };
  for (const Seen seen : sight.view) say(seen == Seen::wall ? 1 : seen == Seen::free ? -1 : 0);
  for (const int place : {sight.position.x, sight.position.y}) {
    say(place / kPlaceUnit);
    for (int wave = 0, cells = 3; wave < kWaves; ++wave, cells *= 3) {
      const double phase = 2 * std::numbers::pi * place / cells;
      say(std::sin(phase));
      say(std::cos(phase));
    }
  }
  const Cell goal = sight.goal - sight.position;
  say(goal.x / kPlaceUnit);
  say(goal.y / kPlaceUnit);
  for (int way = 0; way < 4; ++way) say(sight.last_way == way ? 1 : 0);
  say(sight.bumped ? 1 : 0);
}

// can it be taken, as far as the walker sees right now? A diagonal needs both cells beside it
inline bool looks_free(const Sight& sight, int way) {
  const Cell step = kWays[static_cast<std::size_t>(way)];
  const auto free = [&](int x, int y) {
    return sight.view[static_cast<std::size_t>((y + 1) * kView + x + 1)] == Seen::free;
  };
  return free(step.x, step.y) && free(step.x, 0) && free(0, step.y);
}

// the move that is thought best, of those that do not run into a wall that is seen
template <class T>
int best_way(const Sight& sight, std::span<const T> logits) {
  int best = kStay;
  for (int way = 0; way < static_cast<int>(logits.size()); ++way) {
    if (!looks_free(sight, way)) continue;
    if (best == kStay || logits[static_cast<std::size_t>(way)] > logits[static_cast<std::size_t>(best)]) best = way;
  }
  return best;
}

}  // namespace elastane::maze
