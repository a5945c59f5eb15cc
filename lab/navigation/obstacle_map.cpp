#include "lab/navigation/obstacle_map.h"

#include <cmath>

namespace elastane::navigation {
namespace {

constexpr double kGap = 0.1;  // hits farther apart belong to different obstacles

}  // namespace

void ObstacleMap::observe(const Observation& observation) {
  fresh_ = false;
  for (int i = 0; i < kRays; ++i) {
    if (std::isnan(observation.rays[i])) {
      hit_[i] = hit_[i] - observation.motion;
      continue;
    }
    fresh_ = true;
    seen_[i] = observation.rays[i] < kRange;
    hit_[i] = ray_direction(i) * observation.rays[i];
  }
  if (fresh_) {
    join();
    return;
  }
  for (int i = 0; i < count_; ++i) {
    surfaces_[i].from = surfaces_[i].from - observation.motion;
    surfaces_[i].to = surfaces_[i].to - observation.motion;
  }
}

void ObstacleMap::join() {
  count_ = 0;
  std::array<bool, kRays> joined = {};
  for (int i = 0; i < kRays; ++i) {
    const int next = (i + 1) % kRays;
    if (!seen_[i] || !seen_[next] || norm(hit_[next] - hit_[i]) > kGap) continue;
    const double side = cross(hit_[next] - hit_[i], Vec2{} - hit_[i]);
    surfaces_[count_++] = {hit_[i], hit_[next], side < 0 ? -1.0 : 1.0};
    joined[i] = joined[next] = true;
  }
  for (int i = 0; i < kRays; ++i) {
    if (seen_[i] && !joined[i]) surfaces_[count_++] = {hit_[i], hit_[i], 0};
  }
}

Clearance ObstacleMap::clearance(Vec2 p) const {
  double least = kRange * kRange;
  const Surface* best = nullptr;
  Vec2 at;
  for (int i = 0; i < count_; ++i) {
    const Vec2 candidate = nearest(surfaces_[i].from, surfaces_[i].to, p), off = p - candidate;
    if (const double squares = dot(off, off); squares < least) {
      least = squares;
      best = &surfaces_[i];
      at = candidate;
    }
  }
  if (best == nullptr) return {};
  const double far = std::sqrt(least);
  const bool behind = best->front != 0 && best->front * cross(best->to - best->from, p - best->from) < 0;
  if (far == 0) return {0, {}};
  const Vec2 away = (p - at) * (1 / far);
  return behind ? Clearance{-far, away * -1} : Clearance{far, away};
}

}  // namespace elastane::navigation
