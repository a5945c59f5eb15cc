// lab/navigation/map_path.h: a path is followed, refuted by cells that become dearer, and turned into waypoints.
#include "lab/navigation/map_path.h"

#include <gtest/gtest.h>

namespace elastane::navigation {
namespace {

Observation at_place(Vec2 place) {
  Observation observation;
  observation.goal = place * -1.0;
  observation.rays.fill(kRange);
  return observation;
}

TEST(MapPath, InTheOpenItsWaypointsLeadStraightHomeAtFullSpeed) {
  SiteMap map;
  map.observe(at_place({0.4, 0.1}));
  std::vector<double> distance(static_cast<std::size_t>(map.count()));
  Geodesic(map).march(map.at(map.place()), Geodesic::kBeyond, distance);
  MapPath path(map);
  EXPECT_TRUE(path.empty());
  path.take(distance);
  EXPECT_TRUE(path.follow());
  const auto waypoints = path.waypoints(distance);
  EXPECT_NEAR(norm(waypoints[0]), kStride * kSpeed, 1e-9);
  const Vec2 home = map.place() * (-1 / norm(map.place()));
  EXPECT_GT(dot(waypoints[2], home) / norm(waypoints[2]), 0.97);
  EXPECT_FALSE(path.is_refuted(0.5));
}

TEST(MapPath, AnObstacleOnItRefutesItAndOneBesideItDoesNot) {
  SiteMap map;
  map.observe(at_place({0.3, 0}));
  std::vector<double> distance(static_cast<std::size_t>(map.count()));
  Geodesic(map).march(map.at(map.place()), Geodesic::kBeyond, distance);
  MapPath path(map);
  path.take(distance);
  Observation beside = at_place({0.3, 0}), ahead = beside;
  beside.rays[kRays / 4] = 0.2;  // up
  for (int t = 0; t < 3; ++t) map.observe(beside);
  EXPECT_FALSE(path.is_refuted(0.5));
  ahead.rays[kRays / 2] = 0.15;  // towards the dock
  for (int t = 0; t < 3; ++t) map.observe(ahead);
  EXPECT_TRUE(path.is_refuted(0.5));
}

}  // namespace
}  // namespace elastane::navigation
