#include "lab/maze/observation.h"

#include <cmath>
#include <numbers>

namespace elastane::maze {

View view_at(const Grid& grid, Cell at) {
  View view;
  for (int k = 0; k < kViewCells; ++k) {
    const Cell step = view_step(k);
    const bool diagonal = step.x != 0 && step.y != 0;
    const bool hidden = diagonal && (grid.is_wall(at + Cell{step.x, 0}) || grid.is_wall(at + Cell{0, step.y}));
    const CellState visible = grid.is_wall(at + step) ? CellState::wall : CellState::free;
    view[static_cast<std::size_t>(k)] = hidden ? CellState::hidden : visible;
  }
  return view;
}

void encode(const Observation& observation, std::span<float> x) {
  std::size_t i = 0;
  const auto add = [&](double value) { x[i++] = static_cast<float>(value); };
  for (const CellState state : observation.view) add(state == CellState::wall ? 1 : state == CellState::free ? -1 : 0);
  for (const int coordinate : {observation.position.x, observation.position.y}) {
    add(coordinate / kPositionUnit);
    for (int wave = 0, cells = 3; wave < kWaves; ++wave, cells *= 3) {
      const double phase = 2 * std::numbers::pi * coordinate / cells;
      add(std::sin(phase));
      add(std::cos(phase));
    }
  }
  const Cell goal = observation.goal - observation.position;
  add(goal.x / kPositionUnit);
  add(goal.y / kPositionUnit);
  for (int move = 0; move < 4; ++move) add(observation.last_move == move ? 1 : 0);
  add(observation.bumped ? 1 : 0);
}

bool looks_free(const Observation& observation, int move) {
  const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
  const auto free = [&](int x, int y) {
    return observation.view[static_cast<std::size_t>((y + 1) * kView + x + 1)] == CellState::free;
  };
  return free(step.x, step.y) && free(step.x, 0) && free(0, step.y);
}

}  // namespace elastane::maze
