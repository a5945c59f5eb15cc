#include "lab/navigation/drive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "elastane/core/base/random.h"

namespace elastane::navigation {

Point ray_direction(int ray) {
  const double turn = 2 * std::numbers::pi * ray / kRays;
  return {std::cos(turn), std::sin(turn)};
}

Disc Patrol::at(int step) const {
  const double length = norm(to - from);
  double share = phase + (length > 0 ? pace * step / (2 * length) : 0);  // of the way there and back
  share -= std::floor(share);
  const double along = share < 0.5 ? 2 * share : 2 - 2 * share;
  return {from + (to - from) * along, disc.radius};
}

Air Scenario::air(int step) const {
  if (step < air_at) return {};
  const double turn = wind_turn + wind_pace * (step - air_at);
  return {Point{std::cos(turn), std::sin(turn)} * wind_speed, strength};
}

bool Scenario::blind(int step) const { return blind_every > 0 && step % blind_every >= blind_every - blind_for; }

Drive::Drive(const Site& site, const Scenario& scenario)
    : now_(site), scenario_(scenario), fixed_(site.discs.size()), position_(scenario.start) {
  for (const Patrol& patrol : scenario.patrols) now_.discs.push_back(patrol.at(0));
  happen();
  arrived_ = norm(now_.dock - position_) < kArrived;
}

void Drive::happen() {
  if (step_ == scenario_.change_at && step_ < kLimit)
    now_.discs[static_cast<std::size_t>(scenario_.crate)].centre = scenario_.dropped;
  for (std::size_t i = 0; i < scenario_.patrols.size(); ++i) now_.discs[fixed_ + i] = scenario_.patrols[i].at(step_);
}

Sight Drive::look() {
  Random random(scenario_.seed, (static_cast<std::uint64_t>(step_) + 1) << 16U);
  const auto noise = [&](double sigma) {
    const double x = random.normal() * sigma, y = random.normal() * sigma;
    return Point{x, y};
  };
  Sight sight;
  sight.goal = now_.dock - position_ + noise(kGoalNoise);
  sight.motion = moved_ + noise(kMotionNoise);
  sight.slope = now_.slope(position_);
  const bool blind = scenario_.blind(step_);
  for (int i = 0; i < kRays; ++i) {
    const double clean = now_.cast(position_, ray_direction(i));
    const double noisy = clean + kRayNoise * random.normal();
    sight.rays[i] = blind            ? std::numeric_limits<double>::quiet_NaN()
                    : clean < kRange ? std::clamp(noisy, 0.0, kRange)
                                     : kRange;
  }
  return sight;
}

// out of whatever it is in, deepest first
bool Drive::push_out() {
  bool pushed = false;
  for (int i = 0; i < 6; ++i) {
    double deepest = 0;
    Point out;
    const auto consider = [&](Point away, double from_surface) {
      const double depth = kBody - from_surface, length = norm(away);
      if (depth <= deepest) return;
      deepest = depth;
      out = length > 0 ? away * (depth / length) : Point{depth, 0};
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

void Drive::move(Point command) {
  const bool sane = std::isfinite(command.x) && std::isfinite(command.y);
  const Point asked = sane ? at_most(command, kSpeed) : Point{};
  const Air now = air();
  const Point before = position_;
  position_ += asked * (now.strength / now_.effort(position_, asked)) + now.wind;
  ++step_;
  happen();
  touched_ = push_out();
  contacts_ += touched_ ? 1 : 0;
  moved_ = position_ - before;
  arrived_ = norm(now_.dock - position_) < kArrived;
}

}  // namespace elastane::navigation
