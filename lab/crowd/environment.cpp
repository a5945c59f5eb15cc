#include "lab/crowd/environment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elastane::crowd {

double closest(const MovingDisc& a, const MovingDisc& b, double seconds) {
  const Vec2 apart = b.position - a.position, moved = seconds * (b.velocity - a.velocity);
  const double squares = dot(moved, moved);
  const double share = squares > 0 ? std::clamp(-dot(apart, moved) / squares, 0.0, 1.0) : 0.0;
  return norm(apart + share * moved) - a.radius - b.radius;
}

Environment::Environment(const Episode& episode)
    : robot_{.position = kRobotStart, .velocity = {}, .radius = kRadius},
      walkers_(episode.people.size()),
      yielding_(episode.yielding),
      nearest_(std::numeric_limits<double>::infinity()) {
  for (const Walk& walk : episode.people) {
    people_.push_back({.position = walk.start, .velocity = {}, .radius = kRadius});
    goals_.push_back(walk.goal);
  }
  next_ = people_;
}

void Environment::step(Vec2 velocity) {
  if (over()) return;
  const bool finite = std::isfinite(velocity.x) && std::isfinite(velocity.y);
  robot_.velocity = finite ? shortened(velocity, kSpeedLimit) : Vec2{};
  double gap = std::numeric_limits<double>::infinity();
  for (const MovingDisc& person : people_) gap = std::min(gap, closest(robot_, person, kTimeStep));
  nearest_ = std::min(nearest_, gap);

  const double begun = time();
  if (yielding_) {
    walkers_.advance(people_, goals_, next_);
  } else {
    walk_straight(people_, goals_, next_);
  }
  std::swap(people_, next_);
  robot_.position += kTimeStep * robot_.velocity;
  steps_ += 1;
  // in the order of the reference program
  if (begun >= kLastStart) {
    ending_ = Ending::too_late;
  } else if (gap < 0) {
    ending_ = Ending::collided;
  } else if (norm(robot_.position - kRobotGoal) < robot_.radius) {
    ending_ = Ending::reached;
  }
}

}  // namespace elastane::crowd
