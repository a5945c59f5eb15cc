// lab/navigation/site_map.h: what rays show becomes occupied, near and dear; what they pass becomes free again.
#include "lab/navigation/site_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lab/navigation/policies.h"

namespace elastane::navigation {
namespace {

// a robot at `place` from the dock that sees a wall at x = wall
Observation before_wall(Vec2 place, double wall) {
  Observation observation;
  observation.goal = place * -1.0;
  for (int i = 0; i < kRays; ++i) {
    const double x = ray_direction(i).x, length = x > 1e-9 ? (wall - place.x) / x : kRange;
    observation.rays[static_cast<std::size_t>(i)] = std::fmin(length, kRange);
  }
  return observation;
}

TEST(SiteMap, AWallInViewIsOccupiedAndCostsMore) {
  SiteMap map;
  const Vec2 place{0.3, 0.2};
  for (int t = 0; t < 4; ++t) map.observe(before_wall(place, 0.4));
  EXPECT_NEAR(norm(map.place() - place), 0, 1e-12);
  EXPECT_TRUE(map.occupied(map.at({0.4, 0.2})));
  EXPECT_GT(map.cost(map.at({0.4, 0.2})), 50);
  EXPECT_GT(map.cost(map.at({0.37, 0.2})), 1);
  EXPECT_EQ(map.cost(map.at({0.2, 0.2})), 1);
  EXPECT_NEAR(map.clearance({0.07, 0}).distance, 0.03, 0.004);
  EXPECT_LT(map.clearance({0.07, 0}).away.x, -0.9);
}

TEST(SiteMap, WhatRaysPassIsFreeAgain) {
  SiteMap map;
  for (int t = 0; t < 6; ++t) map.observe(before_wall({0.3, 0.2}, 0.4));
  EXPECT_TRUE(map.dearer() || map.occupied(map.at({0.4, 0.2})));
  for (int t = 0; t < 30; ++t) map.observe(before_wall({0.3, 0.2}, 0.9));
  EXPECT_FALSE(map.occupied(map.at({0.4, 0.2})));
  // cells that lie between two rays keep what was seen there
  EXPECT_LT(map.cost(map.at({0.4, 0.2})), 5);
  EXPECT_GT(map.clearance({0.1, 0}).distance, 0.03);
}

TEST(SiteMap, NothingIsOccupiedAtTheDockAndMissingRaysSayNothing) {
  SiteMap map;
  for (int t = 0; t < 6; ++t) map.observe(before_wall({-0.1, 0}, 0.0));
  EXPECT_FALSE(map.occupied(map.at({})));
  map.begin();
  Observation blind = before_wall({-0.3, 0}, -0.2);
  blind.rays.fill(std::nan(""));
  for (int t = 0; t < 5; ++t) map.observe(blind);
  for (int i = 0; i < map.count(); ++i) ASSERT_FALSE(map.occupied(i));
}

TEST(SiteMap, ItsBoundsHoldTheSite) {
  SiteMap map;
  map.observe(before_wall({0.4, -0.3}, 0.9));
  const SiteMap::Bounds bounds = map.bounds();
  const int left = map.at({-0.6, 0}) % map.side(), right = map.at({1.0, 0}) % map.side();
  EXPECT_EQ(bounds.left, left);
  EXPECT_EQ(bounds.right, right);
}

}  // namespace
}  // namespace elastane::navigation
