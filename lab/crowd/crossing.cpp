#include "lab/crowd/crossing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elastane::crowd {

double closest(const MovingDisc& a, const MovingDisc& b, double seconds) {
  const Vec2 apart = b.position - a.position, way = seconds * (b.velocity - a.velocity);
  const double squares = dot(way, way);
  const double share = squares > 0 ? std::clamp(-dot(apart, way) / squares, 0.0, 1.0) : 0.0;
  return norm(apart + share * way) - a.radius - b.radius;
}

Crossing::Crossing(const Scene& scene)
    : robot_{.position = kRobotStart, .velocity = {}, .radius = kRadius},
      walkers_(scene.people.size()),
      nearest_(std::numeric_limits<double>::infinity()) {
  for (const Walk& walk : scene.people) {
    people_.push_back({.position = walk.start, .velocity = {}, .radius = kRadius});
    goals_.push_back(walk.goal);
  }
  next_ = people_;
}

void Crossing::step(Vec2 velocity) {
  if (ended()) return;
  const bool finite = std::isfinite(velocity.x) && std::isfinite(velocity.y);
  robot_.velocity = finite ? shortened(velocity, kSpeedLimit) : Vec2{};
  double gap = std::numeric_limits<double>::infinity();
  for (const MovingDisc& person : people_) gap = std::min(gap, closest(robot_, person, kTimeStep));
  nearest_ = std::min(nearest_, gap);

  const double begun = time();
  walkers_.advance(people_, goals_, next_);
  std::swap(people_, next_);
  robot_.position += kTimeStep * robot_.velocity;
  steps_ += 1;
  // in the reference's order
  if (begun >= kLastStart) {
    end_ = End::too_late;
  } else if (gap < 0) {
    end_ = End::collided;
  } else if (norm(robot_.position - kRobotGoal) < robot_.radius) {
    end_ = End::reached;
  }
}

}  // namespace elastane::crowd
