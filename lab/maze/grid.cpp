#include "lab/maze/grid.h"

#include <functional>
#include <queue>
#include <utility>

namespace elastane::maze {

// Dijkstra 1959, from the goal: a move has the same length both ways
std::vector<double> lengths_to(const Grid& grid, Cell goal, Moves moves) {
  std::vector<double> lengths(static_cast<std::size_t>(grid.cells()), kNoWay);
  if (grid.is_wall(goal)) return lengths;
  using Reached = std::pair<double, int>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  lengths[static_cast<std::size_t>(grid.index(goal))] = 0;
  open.emplace(0, grid.index(goal));
  while (!open.empty()) {
    const auto [length, at] = open.top();
    open.pop();
    if (length > lengths[static_cast<std::size_t>(at)]) continue;
    for (int way = 0; way < way_count(moves); ++way) {
      if (!grid.can_move(grid.cell(at), way)) continue;
      const int next = grid.index(grid.cell(at) + kWays[static_cast<std::size_t>(way)]);
      double& known = lengths[static_cast<std::size_t>(next)];
      if (length + way_length(way) >= known) continue;
      known = length + way_length(way);
      open.emplace(known, next);
    }
  }
  return lengths;
}

}  // namespace elastane::maze
