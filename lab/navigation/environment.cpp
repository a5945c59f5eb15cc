#include "lab/navigation/environment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastane/core/base/random.h"

namespace elastane::navigation {

Environment::Environment(const Site& site, const Episode& episode)
    : now_(site), episode_(episode), fixed_(site.discs.size()), position_(episode.start) {
  for (const Patrol& patrol : episode.patrols) now_.discs.push_back(patrol.at(0));
  apply_events();
  arrived_ = norm(now_.dock - position_) < kArrived;
}

void Environment::apply_events() {
  if (steps_ == episode_.change_at && steps_ < kLimit)
    now_.discs[static_cast<std::size_t>(episode_.crate)].centre = episode_.dropped;
  for (std::size_t i = 0; i < episode_.patrols.size(); ++i) now_.discs[fixed_ + i] = episode_.patrols[i].at(steps_);
}

Observation Environment::observe() const {
  Random random(episode_.seed, (static_cast<std::uint64_t>(steps_) + 1) << 16U);
  const auto noise = [&](double sigma) {
    const double x = random.normal() * sigma, y = random.normal() * sigma;
    return Vec2{x, y};
  };
  Observation observation;
  const Vec2 to_dock = now_.dock - position_;
  observation.goal = to_dock + noise(kGoalNoise) + (norm(to_dock) < kDockSeen ? Vec2{} : drift_);
  observation.motion = moved_ + noise(kMotionNoise);
  observation.slope = now_.slope(position_);
  const bool blind = episode_.blind(steps_);
  for (int i = 0; i < kRays; ++i) {
    const double clean = now_.cast(position_, ray_direction(i));
    const double noisy = clean + kRayNoise * random.normal();
    observation.rays[i] = blind            ? std::numeric_limits<double>::quiet_NaN()
                          : clean < kRange ? std::clamp(noisy, 0.0, kRange)
                                           : kRange;
  }
  return observation;
}

// moves the robot out of obstacles, the deepest first; false if it touches none
bool Environment::push_out() {
  bool pushed = false;
  for (int i = 0; i < 6; ++i) {
    double deepest = 0;
    Vec2 out;
    const auto consider = [&](Vec2 away, double from_surface) {
      const double depth = kBody - from_surface, length = norm(away);
      if (depth <= deepest) return;
      deepest = depth;
      out = length > 0 ? away * (depth / length) : Vec2{depth, 0};
    };
    for (const Disc& disc : now_.discs) consider(position_ - disc.centre, distance(disc, position_));
    for (const Barrier& barrier : now_.barriers) {
      consider(position_ - nearest(barrier.from, barrier.to, position_), distance(barrier, position_));
    }
    consider({1, 0}, position_.x);
    consider({-1, 0}, 1 - position_.x);
    consider({0, 1}, position_.y);
    consider({0, -1}, 1 - position_.y);
    if (deepest <= 1e-9) break;
    position_ += out;
    pushed = true;
  }
  return pushed;
}

void Environment::step(Vec2 command) {
  const bool finite = std::isfinite(command.x) && std::isfinite(command.y);
  const Vec2 asked = finite ? limited(command, kSpeed) : Vec2{};
  const Disturbance now = disturbance();
  const Vec2 before = position_;
  position_ += asked * (now.strength / now_.effort(position_, asked)) + now.wind;
  ++steps_;
  apply_events();
  touched_ = push_out();
  contacts_ += touched_ ? 1 : 0;
  moved_ = position_ - before;
  if (episode_.mode == Mode::lost) {
    Random random(episode_.seed, (1ULL << 44U) + static_cast<std::uint64_t>(steps_));
    drift_ += {kDockDrift * random.normal(), kDockDrift * random.normal()};
  }
  arrived_ = norm(now_.dock - position_) < kArrived;
}

}  // namespace elastane::navigation
