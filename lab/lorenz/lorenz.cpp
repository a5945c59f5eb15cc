#include "lab/lorenz/lorenz.h"

#include "elastane/core/base/random.h"

namespace elastane::lorenz {
namespace {

Point slope(const Point& p) { return {10 * (p[1] - p[0]), p[0] * (28 - p[2]) - p[1], p[0] * p[1] - 8.0 / 3 * p[2]}; }

Point moved(const Point& p, const Point& d, double h) { return {p[0] + h * d[0], p[1] + h * d[1], p[2] + h * d[2]}; }

Point runge_kutta(const Point& p, double step) {
  const Point a = slope(p), b = slope(moved(p, a, step / 2)), c = slope(moved(p, b, step / 2)),
              d = slope(moved(p, c, step));
  Point next = p;
  for (int i = 0; i < 3; ++i) next[i] += step / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  return next;
}

}  // namespace

std::vector<Point> path(std::uint64_t seed, const PathOptions& options) {
  Random random(seed);
  Point p = {random.uniform(-10, 10), random.uniform(-10, 10), random.uniform(15, 35)};
  for (int t = 0; t < 500; ++t) p = runge_kutta(p, kStep);  // until it is on the attractor
  std::vector<Point> path;
  for (int t = 0; t < options.steps; ++t) {
    path.push_back({p[0] / 10, p[1] / 10, (p[2] - 25) / 10});
    p = runge_kutta(p, t < options.change ? kStep : options.pace * kStep);
  }
  return path;
}

std::array<float, 3> seen(const Point& state, std::uint64_t seed, int t) {
  Random random(seed, 1'000'000 + 6 * static_cast<std::uint64_t>(t));  // a normal number takes two draws
  std::array<float, 3> x{};
  for (std::size_t i = 0; i < 3; ++i) x[i] = static_cast<float>(state[i] + kNoise * random.normal());
  return x;
}

}  // namespace elastane::lorenz
