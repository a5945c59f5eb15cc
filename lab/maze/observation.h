// What an agent observes in a step, and how a network receives it.
//
//   inputs   [view | position | goal | last move | bumped]
//   outputs  logits of the four moves
//
// The position is encoded as it is and as waves of 3, 9, 27 and 81 cells, so that a network can distinguish neighbouring
// cells and knows where in the lattice it is. The goal is relative to the agent.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "lab/maze/grid.h"

namespace elastane::maze {

inline constexpr int kView = 3, kViewCells = kView * kView;
enum class CellState : std::uint8_t { free, wall, hidden };
using View = std::array<CellState, kViewCells>;                             // row by row, the agent in the middle
constexpr Cell view_step(int k) { return {k % kView - 1, k / kView - 1}; }  // from the agent to cell k of its view

// The cells around that are in a line of sight. The line to a diagonal neighbour passes between two cells; if one of them
// is a wall, the neighbour is hidden. So agents never see through walls or around corners: the exits of a node are
// visible only at the node.
View view_at(const Grid& grid, Cell at);

struct Observation {
  View view = {};
  Cell position, goal;
  int last_move = kStay;  // the previous move, if it succeeded
  bool bumped = false;    // the previous move failed
};

inline constexpr int kWaves = 4, kPositionInputs = 2 * (1 + 2 * kWaves);
inline constexpr int kInputs = kViewCells + kPositionInputs + 2 + 4 + 1;
inline constexpr int kOutputs = 4;
inline constexpr double kPositionUnit = 27;  // cells; 1 to the network
void encode(const Observation& observation, std::span<float> x);

// true if the move looks possible from what is visible now; a diagonal needs both cells beside it
bool looks_free(const Observation& observation, int move);

// the move with the highest logit among those that do not run into a visible wall; kStay if there is none
template <class T>
int best_free_move(const Observation& observation, std::span<const T> logits) {
  int best = kStay;
  for (int move = 0; move < static_cast<int>(logits.size()); ++move) {
    if (!looks_free(observation, move)) continue;
    if (best == kStay || logits[static_cast<std::size_t>(move)] > logits[static_cast<std::size_t>(best)]) best = move;
  }
  return best;
}

}  // namespace elastane::maze
