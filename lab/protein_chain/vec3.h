// Points and directions in space.
#pragma once

#include <cmath>

namespace elastane::protein_chain {

struct Vec3 {
  double x = 0, y = 0, z = 0;

  friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
  Vec3& operator+=(Vec3 b) { return *this = *this + b; }
  Vec3& operator-=(Vec3 b) { return *this = *this - b; }
};

constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }
inline Vec3 unit(Vec3 a) { return (1 / length(a)) * a; }

// this header is also read as C++17, which has no std::numbers
constexpr double radians(double degrees) { return degrees * 3.14159265358979323846 / 180; }

}  // namespace elastane::protein_chain
