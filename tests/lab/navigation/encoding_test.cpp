// lab/navigation/encoding.h: where observations, disturbances and paths are in the inputs and outputs.
#include "lab/navigation/encoding.h"

#include <gtest/gtest.h>

#include <array>

namespace elastane::navigation {
namespace {

TEST(Encoding, OfAnObservationIsScaledAndNearRaysAreLarge) {
  Observation observation{.goal = {0.5, -0.25}, .motion = {kSpeed, 0}, .slope = {0, 0.5}};
  observation.rays.fill(kRange);
  observation.rays[3] = 0;
  std::array<float, kObserved> x = {};
  encode(observation, x);
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[3], 1);
  EXPECT_EQ(x[kRays], 1);
  EXPECT_EQ(x[kRays + 1], -0.5F);
  EXPECT_EQ(x[kRays + 2], 1);
  EXPECT_EQ(x[kRays + 5], 1);
}

TEST(Encoding, OfTheNextObservationBeginsWithTheSlip) {
  Observation observation{.motion = {kSpeed, kSpeed}};
  std::array<float, kObserved> y = {};
  encode_next(observation, {kSpeed, 0}, y);
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[1], 1);
}

TEST(Encoding, OfNoDisturbanceIsZero) {
  std::array<float, kDisturbance> x = {1, 1, 1};
  encode(Disturbance{}, x);
  for (const float value : x) EXPECT_EQ(value, 0);
  encode(Disturbance{{0, kSpeed}, 0.75}, x);
  EXPECT_EQ(x[1], 1);
  EXPECT_EQ(x[2], -0.25F);
}

TEST(Encoding, FirstCommandIsWithinTheSpeedLimit) {
  const std::array<double, kPath> y = {5, 0, 6, 0};
  EXPECT_NEAR(waypoint(std::span<const double>(y), 1).x, 0.6, 1e-15);
  EXPECT_NEAR(norm(first_command(std::span<const double>(y))), kSpeed, 1e-15);
  const std::array<double, kPath> slow = {0.1, 0};
  EXPECT_NEAR(first_command(std::span<const double>(slow)).x, 0.005, 1e-15);
}

}  // namespace
}  // namespace elastane::navigation
