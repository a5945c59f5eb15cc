#include "lab/maze/environment.h"

#include <algorithm>

namespace elastane::maze {

Observation Environment::observe() const {
  return {.view = view_at(now_, position_),
          .position = position_,
          .goal = episode_.goal,
          .last_move = last_move_,
          .bumped = bumped_};
}

void Environment::step(int move) {
  const bool moves = move != kStay && now_.can_move(position_, move);
  if (moves) position_ = position_ + kMoveSteps[static_cast<std::size_t>(move)];
  bumped_ = !moves;
  last_move_ = moves ? move : kStay;
  length_ += moves ? move_length(move) : 1;
  ++steps_;
  apply_change();
}

// Doors change together; the change waits until no door would close on the agent
void Environment::apply_change() {
  if (changed_ || steps_ < episode_.change_at || episode_.after.is_wall(position_)) return;
  now_ = episode_.after;
  changed_ = true;
}

CellKind cell_kind(const Episode& episode, const Grid& now, Cell at) {
  int exits = 0;
  bool closed = false;
  for (int move = 0; move < 4; ++move) {
    const Cell next = at + kMoveSteps[static_cast<std::size_t>(move)];
    exits += now.is_wall(next) ? 0 : 1;
    closed = closed || (now.is_wall(next) && std::ranges::find(episode.doors, next) != episode.doors.end());
  }
  if (closed) return CellKind::closed_door;
  if (exits <= 1) return CellKind::dead_end;
  // an open block of two by two cells with the agent in it
  for (int k = 0; k < 4; ++k) {
    const Cell corner = at - Cell{k % 2, k / 2};
    if (!now.is_wall(corner) && !now.is_wall(corner + Cell{1, 0}) && !now.is_wall(corner + Cell{0, 1}) &&
        !now.is_wall(corner + Cell{1, 1}))
      return CellKind::room;
  }
  if (exits >= 3) return CellKind::junction;
  const bool node = episode.pitch > 0 && at.x % episode.pitch == 1 && at.y % episode.pitch == 1;
  return node ? CellKind::two_exits : CellKind::corridor;
}

}  // namespace elastane::maze
