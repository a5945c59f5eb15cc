#include "lab/navigation/geometry.h"

#include <algorithm>

namespace elastane::navigation {

double cast(const Disc& disc, Vec2 from, Vec2 direction) {
  const Vec2 to_centre = disc.centre - from;
  const double along = dot(to_centre, direction);
  const double inside = disc.radius * disc.radius - dot(to_centre, to_centre);
  if (inside >= 0) return 0;
  const double half_chord = inside + along * along;
  return along > 0 && half_chord >= 0 ? along - std::sqrt(half_chord) : kNoHit;
}

double cast(const Barrier& barrier, Vec2 from, Vec2 direction) {
  if (distance(barrier, from) <= 0) return 0;
  // the two round ends, then the two straight sides
  double hit = std::min(cast(Disc{barrier.from, barrier.half}, from, direction),
                        cast(Disc{barrier.to, barrier.half}, from, direction));
  const Vec2 along = barrier.to - barrier.from;
  const double length = norm(along);
  if (length == 0) return hit;
  const Vec2 normal = Vec2{-along.y, along.x} * (1 / length);
  const double approach = dot(direction, normal);
  if (approach == 0) return hit;
  const double off = dot(from - barrier.from, normal);
  const double t = ((off > 0 ? barrier.half : -barrier.half) - off) / approach;
  const double place = dot(from + direction * t - barrier.from, along) / (length * length);
  if (t >= 0 && place >= 0 && place <= 1) hit = std::min(hit, t);
  return hit;
}

double cast_to_edge(Vec2 from, Vec2 direction) {
  double hit = kNoHit;
  const auto side = [&](double at, double speed) {
    if (speed > 0) hit = std::min(hit, (1 - at) / speed);
    if (speed < 0) hit = std::min(hit, -at / speed);
  };
  side(from.x, direction.x);
  side(from.y, direction.y);
  return std::max(hit, 0.0);
}

}  // namespace elastane::navigation
