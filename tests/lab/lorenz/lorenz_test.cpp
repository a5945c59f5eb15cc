// lab/lorenz/lorenz.cpp: trajectories of the attractor.
#include "lab/lorenz/lorenz.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::lorenz {
namespace {

TEST(Lorenz, FollowsTheEquations) {
  const std::vector<Point> states = path(3, {.steps = 200});
  for (std::size_t t = 1; t + 1 < states.size(); ++t) {
    const double x = 10 * states[t][0], y = 10 * states[t][1], z = 25 + 10 * states[t][2];
    const double dx = 10 * (states[t + 1][0] - states[t - 1][0]) / (2 * kStep);
    const double slope = 10 * (y - x);
    EXPECT_NEAR(dx, slope, 0.1 * (std::fabs(slope) + std::fabs(x * (28 - z)) + 20)) << t;
  }
}

TEST(Lorenz, StaysOnTheAttractor) {
  for (const Point& p : path(1, {.steps = 2000})) {
    for (const double value : p) EXPECT_LT(std::fabs(value), 4);
  }
}

TEST(Lorenz, RunsFasterFromTheChangeOn) {
  const auto plain = path(5, {.steps = 60}), faster = path(5, {.steps = 60, .change = 20, .pace = 2});
  EXPECT_EQ(plain[20], faster[20]);
  EXPECT_NE(plain[21], faster[21]);
  // two steps of twice the length end where four steps do, up to the error of the longer ones
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(plain[24][i], faster[22][i], 5e-3);
}

TEST(Lorenz, MeasurementsDependOnSeedAndStepOnly) {
  const Point state = path(2, {.steps = 1}).front();
  EXPECT_EQ(seen(state, 7, 3), seen(state, 7, 3));
  EXPECT_NE(seen(state, 7, 3), seen(state, 7, 4));
  EXPECT_NE(seen(state, 7, 3), seen(state, 8, 3));
}

}  // namespace
}  // namespace elastane::lorenz
