// The Lorenz attractor (1963) as a world to forecast: chaotic, yet predictable for a while.
//
//   dx = 10(y − x)    dy = x(28 − z) − y    dz = xy − 8z/3          fourth-order Runge–Kutta
//
// A model receives x/10, y/10 and (z − 25)/10 with noise, and predicts the state kAhead steps later.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace elastane::lorenz {

inline constexpr int kAhead = 5;        // steps
inline constexpr double kStep = 0.02;   // seconds
inline constexpr double kNoise = 0.05;  // of a measurement

using Point = std::array<double, 3>;

// `steps` states on the attractor, in the model's units; from step `change` on time runs `pace` times as fast
struct PathOptions {
  int steps = 1000;
  int change = 1 << 30;
  double pace = 1.4;
};
std::vector<Point> path(std::uint64_t seed, const PathOptions& options);

// a noisy measurement of a state; the noise depends on (seed, t) only
std::array<float, 3> seen(const Point& state, std::uint64_t seed, int t);

}  // namespace elastane::lorenz
