#include "lab/navigation/site_map.h"

#include <algorithm>
#include <cmath>

namespace elastane::navigation {
namespace {

constexpr float kHit = 1, kPassed = -0.25F, kJoined = 0.5F, kLeast = -1.5F, kMost = 3, kOccupied = 0.5F;
constexpr double kGain = 0.18;      // of the observed dock against motion: the ratio of their noises
constexpr double kGap = 0.06;       // ends of rays that are farther apart belong to different obstacles
constexpr double kBeforeHit = 1.2;  // cells before the end of a ray that it says nothing about
constexpr double kDockRoom = 0.04;  // around the dock nothing is occupied: false rays must not close it
constexpr double kNear = 0.04;      // free space around the body below which cells cost more
constexpr double kTight = 0.003;    // ... in which it hardly fits
constexpr double kNearCost = 4, kTightCost = 20, kOccupiedCost = 60;
constexpr double kAverage = 0.2;  // of a new end of a ray against those before it in its cell
constexpr double kFar = 1e3;

double cost_of(bool occupied, double distance) {
  if (occupied) return kOccupiedCost;
  const double room = distance - kBody;
  if (room < kTight) return kTightCost;
  return room < kNear ? 1 + kNearCost * (1 - room / kNear) : 1.0;
}

}  // namespace

SiteMap::SiteMap(int cells_per_unit) : side_(2 * cells_per_unit + 2), cell_(1.0 / cells_per_unit) {
  const auto n = static_cast<std::size_t>(count());
  odds_.resize(n);
  occupied_.resize(n);
  point_.resize(n);
  distance_.resize(n);
  owner_.resize(n);
  cost_.resize(n);
  begin();
}

void SiteMap::begin() {
  std::ranges::fill(odds_, 0.0F);
  std::ranges::fill(occupied_, std::uint8_t{0});
  std::ranges::fill(distance_, kFar);
  std::ranges::fill(owner_, -1);
  std::ranges::fill(cost_, 1.0);
  place_ = least_ = most_ = {};
  steps_ = 0;
  dearer_ = false;
}

int SiteMap::at(Vec2 p) const {
  const auto index = [&](double v) {
    return std::clamp(static_cast<int>(std::floor(v / cell_)) + side_ / 2, 0, side_ - 1);
  };
  return index(p.y) * side_ + index(p.x);
}

SiteMap::Bounds SiteMap::bounds() const {
  const int low = at({most_.x - 1, most_.y - 1}), high = at({least_.x + 1, least_.y + 1});
  return {low % side_, high % side_, low / side_, high / side_};
}

void SiteMap::observe(const Observation& observation) {
  // the first observation of the dock is all that is known; later ones are averaged with motion
  const double gain = std::max(kGain, 1.0 / (steps_ + 1));
  place_ += observation.motion;
  place_ += (observation.goal * -1.0 - place_) * gain;
  ++steps_;
  least_ = {std::min(least_.x, place_.x), std::min(least_.y, place_.y)};
  most_ = {std::max(most_.x, place_.x), std::max(most_.y, place_.y)};
  dearer_ = false;
  for (int i = 0; i < kRays; ++i) {
    const double length = observation.rays[static_cast<std::size_t>(i)];
    if (std::isnan(length)) continue;
    const Vec2 direction = ray_direction(i), end = place_ + direction * length;
    const bool hit = length < kRange;
    pass(place_, direction, hit ? length - kBeforeHit * cell_ : length);
    if (!hit) continue;
    add(at(end), kHit, end);
    const double next = observation.rays[static_cast<std::size_t>((i + 1) % kRays)];
    if (next < kRange) join(end, place_ + ray_direction((i + 1) % kRays) * next);
  }
}

// every cell that a ray passes; half cells are fine enough, and a cell counts once
void SiteMap::pass(Vec2 from, Vec2 direction, double length) {
  int last = -1;
  for (double s = 0; s < length; s += 0.5 * cell_) {
    const int i = at(from + direction * s);
    if (i == last) continue;
    last = i;
    if (odds_[static_cast<std::size_t>(i)] > kLeast) add(i, kPassed, {});
  }
}

void SiteMap::join(Vec2 from, Vec2 to) {
  const double length = norm(to - from);
  if (length > kGap) return;
  int last = at(from);
  const int end = at(to);
  for (double s = 0.5 * cell_; s < length; s += 0.5 * cell_) {
    const Vec2 p = from + (to - from) * (s / length);
    const int i = at(p);
    if (i == last || i == end) continue;
    last = i;
    add(i, kJoined, p);
  }
}

void SiteMap::add(int i, float by, Vec2 point) {
  const auto k = static_cast<std::size_t>(i);
  if (by > 0 && norm(point) < kDockRoom) return;
  odds_[k] = std::clamp(odds_[k] + by, kLeast, kMost);
  const bool now = odds_[k] > kOccupied;
  // later ends of rays in an occupied cell average its noise
  if (now && occupied_[k] != 0 && by == kHit) point_[k] += (point - point_[k]) * kAverage;
  if (now && occupied_[k] == 0) occupy(i, point);
  if (!now && occupied_[k] != 0) release(i);
}

template <class Visit>
void SiteMap::around(int i, Visit visit) const {
  const int x = i % side_, y = i / side_;
  for (int row = std::max(0, y - kReach); row <= std::min(side_ - 1, y + kReach); ++row) {
    for (int column = std::max(0, x - kReach); column <= std::min(side_ - 1, x + kReach); ++column) {
      visit(row * side_ + column);
    }
  }
}

void SiteMap::set_clearance(int i, double distance, int owner) {
  const auto k = static_cast<std::size_t>(i);
  distance_[k] = distance;
  owner_[k] = owner;
  const double cost = cost_of(occupied_[k] != 0, distance);
  dearer_ = dearer_ || cost > cost_[k];
  cost_[k] = cost;
}

void SiteMap::occupy(int i, Vec2 point) {
  occupied_[static_cast<std::size_t>(i)] = 1;
  point_[static_cast<std::size_t>(i)] = point;
  around(i, [&](int j) {
    const double distance = norm(centre(j) - point);
    if (j == i || distance < distance_[static_cast<std::size_t>(j)]) set_clearance(j, distance, i);
  });
}

void SiteMap::release(int i) {
  occupied_[static_cast<std::size_t>(i)] = 0;
  around(i, [&](int j) {
    if (owner_[static_cast<std::size_t>(j)] == i || j == i) find_nearest(j);
  });
}

void SiteMap::find_nearest(int i) {
  double least = kFar;
  int owner = -1;
  around(i, [&](int j) {
    if (!occupied(j)) return;
    const double distance = norm(centre(i) - point_[static_cast<std::size_t>(j)]);
    if (distance < least) least = distance, owner = j;
  });
  set_clearance(i, least, owner);
}

Clearance SiteMap::clearance(Vec2 p) const {
  const Vec2 where = place_ + p;
  const int i = at(where);
  if (owner_[static_cast<std::size_t>(i)] < 0 && !occupied(i)) return {};
  double least = kFar;
  Vec2 away;
  around(i, [&](int j) {
    if (!occupied(j)) return;
    const Vec2 off = where - point_[static_cast<std::size_t>(j)];
    if (const double squares = dot(off, off); squares < least) least = squares, away = off;
  });
  if (least >= kFar) return {};
  const double distance = std::sqrt(least);
  return {distance, distance > 0 ? away * (1 / distance) : Vec2{}};
}

}  // namespace elastane::navigation
