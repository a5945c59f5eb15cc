#include "lab/navigation/ray_view.h"

#include <cmath>

namespace elastane::navigation {
namespace {

constexpr double kGap = 0.1;  // hits further apart belong to different things

double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

}  // namespace

void RayView::see(const Sight& sight) {
  fresh_ = false;
  for (int i = 0; i < kRays; ++i) {
    if (std::isnan(sight.rays[i])) {
      hit_[i] = hit_[i] - sight.motion;
      continue;
    }
    fresh_ = true;
    seen_[i] = sight.rays[i] < kRange;
    hit_[i] = ray_direction(i) * sight.rays[i];
  }
  if (fresh_) {
    join();
    return;
  }
  for (int i = 0; i < count_; ++i) {
    surfaces_[i].from = surfaces_[i].from - sight.motion;
    surfaces_[i].to = surfaces_[i].to - sight.motion;
  }
}

void RayView::join() {
  count_ = 0;
  std::array<bool, kRays> joined = {};
  for (int i = 0; i < kRays; ++i) {
    const int next = (i + 1) % kRays;
    if (!seen_[i] || !seen_[next] || norm(hit_[next] - hit_[i]) > kGap) continue;
    const double side = cross(hit_[next] - hit_[i], Point{} - hit_[i]);
    surfaces_[count_++] = {hit_[i], hit_[next], side < 0 ? -1.0 : 1.0};
    joined[i] = joined[next] = true;
  }
  for (int i = 0; i < kRays; ++i) {
    if (seen_[i] && !joined[i]) surfaces_[count_++] = {hit_[i], hit_[i], 0};
  }
}

Room RayView::room(Point p) const {
  double least = kRange * kRange;
  const Surface* best = nullptr;
  Point at;
  for (int i = 0; i < count_; ++i) {
    const Point candidate = nearest(surfaces_[i].from, surfaces_[i].to, p), off = p - candidate;
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
  const Point away = (p - at) * (1 / far);
  return behind ? Room{-far, away * -1} : Room{far, away};
}

}  // namespace elastane::navigation
