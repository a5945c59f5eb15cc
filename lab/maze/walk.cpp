#include "lab/maze/walk.h"

#include <algorithm>

namespace elastane::maze {

View look_around(const Grid& grid, Cell at) {
  View view;
  for (int k = 0; k < kViewCells; ++k) {
    const Cell step = view_step(k);
    const bool diagonal = step.x != 0 && step.y != 0;
    const bool hidden = diagonal && (grid.is_wall(at + Cell{step.x, 0}) || grid.is_wall(at + Cell{0, step.y}));
    view[static_cast<std::size_t>(k)] = hidden ? Seen::hidden : grid.is_wall(at + step) ? Seen::wall : Seen::free;
  }
  return view;
}

Sight Walk::look() const {
  return {.view = look_around(now_, position_),
          .position = position_,
          .goal = task_.goal,
          .last_way = last_way_,
          .bumped = bumped_};
}

void Walk::move(int way) {
  const bool moves = way != kStay && now_.can_move(position_, way);
  if (moves) position_ = position_ + kWays[static_cast<std::size_t>(way)];
  bumped_ = !moves;
  last_way_ = moves ? way : kStay;
  length_ += moves ? way_length(way) : 1;
  ++step_;
  happen();
}

// Doors change at their time; one that would close on the walker waits until it has left
void Walk::happen() {
  if (changed_ || step_ < task_.change_at || task_.after.is_wall(position_)) return;
  now_ = task_.after;
  changed_ = true;
}

Place place_of(const Task& task, const Grid& now, Cell at) {
  int exits = 0;
  bool closed = false;
  for (int way = 0; way < 4; ++way) {
    const Cell next = at + kWays[static_cast<std::size_t>(way)];
    exits += now.is_wall(next) ? 0 : 1;
    closed = closed || (now.is_wall(next) && std::ranges::find(task.doors, next) != task.doors.end());
  }
  if (closed) return Place::closed_door;
  if (exits <= 1) return Place::dead_end;
  // an open block of two by two cells with the walker in it
  for (int k = 0; k < 4; ++k) {
    const Cell corner = at - Cell{k % 2, k / 2};
    if (!now.is_wall(corner) && !now.is_wall(corner + Cell{1, 0}) && !now.is_wall(corner + Cell{0, 1}) &&
        !now.is_wall(corner + Cell{1, 1}))
      return Place::room;
  }
  if (exits >= 3) return Place::junction;
  const bool node = task.pitch > 0 && at.x % task.pitch == 1 && at.y % task.pitch == 1;
  return node ? Place::two_exits : Place::corridor;
}

}  // namespace elastane::maze
