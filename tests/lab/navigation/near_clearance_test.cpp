// lab/navigation/near_clearance.h: the room around the robot, by map and rays together.
#include "lab/navigation/near_clearance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/navigation/environment.h"

namespace elastane::navigation {
namespace {

// a wall to the right of the robot, seen by the rays that reach it
Observation beside_a_wall(double distance) {
  Observation observation;
  observation.goal = {-0.5, 0};
  for (int i = 0; i < kRays; ++i) {
    const double along = ray_direction(i).x;
    observation.rays[static_cast<std::size_t>(i)] = along > 1e-9 ? std::min(distance / along, kRange) : kRange;
  }
  return observation;
}

TEST(NearClearance, IsBetweenMapAndRaysWhereBothAreNear) {
  SiteMap map;
  ObstacleMap rays;
  for (int t = 0; t < 8; ++t) map.observe(beside_a_wall(0.03)), rays.observe(beside_a_wall(0.03));
  const NearClearance near(map, rays);
  const double remembered = map.clearance({}).distance, seen = rays.clearance({}).distance;
  EXPECT_DOUBLE_EQ(near.clearance({}).distance, 0.5 * (remembered + seen));
  EXPECT_NEAR(seen, 0.03, 1e-9);
  EXPECT_LT(near.clearance({}).away.x, -0.9);
  EXPECT_NEAR(norm(near.clearance({}).away), 1, 1e-12);
}

TEST(NearClearance, SeesASurfaceThatTheMapDoesNotHold) {
  const SiteMap map;
  ObstacleMap rays;
  rays.observe(beside_a_wall(0.02));
  const NearClearance near(map, rays);
  EXPECT_NEAR(near.clearance({}).distance, 0.024, 1e-9);
  EXPECT_LT(near.clearance({0.005, 0}).distance, near.clearance({}).distance);
}

TEST(NearClearance, KnowsNothingOfOpenGround) {
  const SiteMap map;
  const ObstacleMap rays;
  EXPECT_GE(NearClearance(map, rays).clearance({}).distance, kRange);
}

// two walls, left and right of the robot
struct Gap final : ClearanceSource {
  explicit Gap(double w) : width(w) {}
  Clearance clearance(Vec2 p) const override {
    const double left = p.x + 0.5 * width, right = 0.5 * width - p.x;
    return left < right ? Clearance{left, {1, 0}} : Clearance{right, {-1, 0}};
  }
  double width;
};

TEST(NearClearance, ACommandWithRoomIsKept) {
  const Vec2 command{0.004, 0.01};
  EXPECT_EQ(with_room(command, command, Gap(0.05), 0.002), command);
}

TEST(NearClearance, ACommandWithoutRoomIsTurnedAlongTheGap) {
  const Vec2 command{0.01, 0.004}, turned = with_room(command, command, Gap(0.036), 0.002);
  EXPECT_GE(Gap(0.036).clearance(turned).distance - kBody, 0.002);
  EXPECT_GT(turned.y, 0.5 * kSpeed);
}

TEST(NearClearance, InAGapThatIsTooNarrowItLeavesAsMuchAsItCan) {
  const Vec2 command{0.01, 0.004}, turned = with_room(command, command, Gap(0.026), 0.002);
  EXPECT_NEAR(turned.x, 0, 1e-9);
}

}  // namespace
}  // namespace elastane::navigation
