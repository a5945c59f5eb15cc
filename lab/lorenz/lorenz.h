// The Lorenz attractor (1963) as a world to forecast: chaotic, yet predictable for a while.
//
//   dx = 10(y − x)    dy = x(28 − z) − y    dz = xy − 8z/3          by Runge and Kutta's fourth-order steps
//
// What a model sees are x/10, y/10 and (z − 25)/10, with noise; what it is asked for is the state kAhead steps later.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace elastane::lorenz {

inline constexpr int kAhead = 5;        // steps
inline constexpr double kStep = 0.02;   // seconds
inline constexpr double kNoise = 0.05;  // of what is seen

using Point = std::array<double, 3>;

// `steps` states on the attractor, in the model's units; from step `change` on the world runs at `pace`
struct PathOptions {
  int steps = 1000;
  int change = 1 << 30;
  double pace = 1.4;
};
std::vector<Point> path(std::uint64_t seed, const PathOptions& options);

// a state as the sensors give it; the noise depends on (seed, t) alone
std::array<float, 3> seen(const Point& state, std::uint64_t seed, int t);

}  // namespace elastane::lorenz
