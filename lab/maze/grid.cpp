#include "lab/maze/grid.h"

#include <functional>
#include <queue>
#include <utility>

namespace elastane::maze {

// Dijkstra 1959, from the goal: a move has the same length in both directions
std::vector<double> distances_to(const Grid& grid, Cell goal, Moves moves) {
  std::vector<double> distances(static_cast<std::size_t>(grid.cells()), kUnreachable);
  if (grid.is_wall(goal)) return distances;
  using Reached = std::pair<double, int>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  distances[static_cast<std::size_t>(grid.index(goal))] = 0;
  open.emplace(0, grid.index(goal));
  while (!open.empty()) {
    const auto [distance, at] = open.top();
    open.pop();
    if (distance > distances[static_cast<std::size_t>(at)]) continue;
    for (int move = 0; move < move_count(moves); ++move) {
      if (!grid.can_move(grid.cell(at), move)) continue;
      const int next = grid.index(grid.cell(at) + kMoveSteps[static_cast<std::size_t>(move)]);
      double& known = distances[static_cast<std::size_t>(next)];
      if (distance + move_length(move) >= known) continue;
      known = distance + move_length(move);
      open.emplace(known, next);
    }
  }
  return distances;
}

}  // namespace elastane::maze
