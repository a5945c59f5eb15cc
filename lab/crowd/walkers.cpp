#include "lab/crowd/walkers.h"

#include <algorithm>

namespace elastane::crowd {

void walk_straight(std::span<const MovingDisc> now, std::span<const Vec2> goals, std::span<MovingDisc> next) {
  for (std::size_t i = 0; i < now.size(); ++i) {
    next[i] = now[i];
    next[i].velocity = wanted_velocity(now[i].position, goals[i]);
    next[i].position += kTimeStep * next[i].velocity;
  }
}

void Walkers::advance(std::span<const MovingDisc> now, std::span<const Vec2> goals, std::span<MovingDisc> next) {
  for (std::size_t i = 0; i < now.size(); ++i) {
    next[i] = now[i];
    next[i].velocity = orca_.choose(now[i], all_but(now, i), wanted_velocity(now[i].position, goals[i]), kClearance);
    next[i].position += kTimeStep * next[i].velocity;
  }
}

std::span<const MovingDisc> Walkers::all_but(std::span<const MovingDisc> people, std::size_t person) {
  std::ranges::copy(people.first(person), others_.begin());
  std::ranges::copy(people.subspan(person + 1), others_.begin() + static_cast<std::ptrdiff_t>(person));
  return others_;
}

}  // namespace elastane::crowd
