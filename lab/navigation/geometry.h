// Points of the plane, and the two shapes that a site is built of: discs and barriers.
#pragma once

#include <cmath>
#include <limits>

namespace elastane::navigation {

struct Point {
  double x = 0, y = 0;

  Point operator+(Point q) const { return {x + q.x, y + q.y}; }
  Point operator-(Point q) const { return {x - q.x, y - q.y}; }
  Point operator*(double a) const { return {x * a, y * a}; }
  Point& operator+=(Point q) { return *this = *this + q; }
  bool operator==(const Point&) const = default;
};
inline double dot(Point p, Point q) { return p.x * q.x + p.y * q.y; }
inline double norm(Point p) { return std::sqrt(dot(p, p)); }
inline Point at_most(Point p, double length) {
  const double n = norm(p);
  return n > length ? p * (length / n) : p;
}

struct Disc {
  Point centre;
  double radius = 0;
};

// all that is within `half` of a segment
struct Barrier {
  Point from, to;
  double half = 0;
};

inline constexpr double kNoHit = std::numeric_limits<double>::infinity();

// the point of a segment that is nearest to p
inline Point nearest(Point from, Point to, Point p) {
  const Point along = to - from;
  const double squares = dot(along, along);
  const double share = squares > 0 ? std::fmin(std::fmax(dot(p - from, along) / squares, 0.0), 1.0) : 0.0;
  return from + along * share;
}

// from p to the surface; negative inside
inline double distance(const Disc& disc, Point p) { return norm(p - disc.centre) - disc.radius; }
inline double distance(const Barrier& barrier, Point p) {
  return norm(p - nearest(barrier.from, barrier.to, p)) - barrier.half;
}

// how far a ray goes until it hits; 0 from inside, kNoHit if it does not. `direction` has length 1
double cast(const Disc& disc, Point from, Point direction);
double cast(const Barrier& barrier, Point from, Point direction);
// to the edge of the unit square, from within
double cast_to_edge(Point from, Point direction);

}  // namespace elastane::navigation
