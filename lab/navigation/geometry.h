// The two shapes that a site is built of, discs and barriers: distances to them and rays against them.
#pragma once

#include <cmath>
#include <limits>

#include "elastane/planners/vec2.h"

namespace elastane::navigation {

using planners::Vec2;

// no longer than `most`. It divides once, so its last digit differs from planners::shortened; recorded figures need both.
inline Vec2 limited(Vec2 p, double most) {
  const double length = norm(p);
  return length > most ? p * (most / length) : p;
}

struct Disc {
  Vec2 centre;
  double radius = 0;
};

// all points within `half` of a segment
struct Barrier {
  Vec2 from, to;
  double half = 0;
};

inline constexpr double kNoHit = std::numeric_limits<double>::infinity();

// the point of a segment that is nearest to p
inline Vec2 nearest(Vec2 from, Vec2 to, Vec2 p) {
  const Vec2 along = to - from;
  const double squares = dot(along, along);
  const double share = squares > 0 ? std::fmin(std::fmax(dot(p - from, along) / squares, 0.0), 1.0) : 0.0;
  return from + along * share;
}

// from p to the surface; negative inside
inline double distance(const Disc& disc, Vec2 p) { return norm(p - disc.centre) - disc.radius; }
inline double distance(const Barrier& barrier, Vec2 p) {
  return norm(p - nearest(barrier.from, barrier.to, p)) - barrier.half;
}

// the length of a ray until it hits; 0 from inside, kNoHit if it does not hit. `direction` has length 1
double cast(const Disc& disc, Vec2 from, Vec2 direction);
double cast(const Barrier& barrier, Vec2 from, Vec2 direction);
// to the edge of the unit square, from within
double cast_to_edge(Vec2 from, Vec2 direction);

}  // namespace elastane::navigation
