// Points and directions of the plane.
#pragma once

#include <cmath>

namespace elastane::planners {

struct Vec2 {
  double x = 0, y = 0;

  Vec2 operator+(Vec2 b) const { return {x + b.x, y + b.y}; }
  Vec2 operator-(Vec2 b) const { return {x - b.x, y - b.y}; }
  Vec2 operator-() const { return {-x, -y}; }
  Vec2 operator*(double f) const { return {x * f, y * f}; }
  Vec2& operator+=(Vec2 b) { return *this = *this + b; }
  friend Vec2 operator*(double f, Vec2 a) { return a * f; }
  bool operator==(const Vec2&) const = default;
};

inline double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
inline double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
inline double norm(Vec2 a) { return std::sqrt(dot(a, a)); }
inline Vec2 turned_left(Vec2 a) { return {-a.y, a.x}; }
// of length 1; the zero vector stays as it is
inline Vec2 direction(Vec2 a) { return norm(a) > 0 ? (1 / norm(a)) * a : a; }
// no longer than `most`
inline Vec2 shortened(Vec2 a, double most) { return norm(a) > most ? most * direction(a) : a; }

}  // namespace elastane::planners
