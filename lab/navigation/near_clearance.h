// The room around the robot, from what its map remembers and what the rays of this step show: neither alone is good enough
// for the last millimetres.
//
//   map    measures to remembered points, so a surface between two of them is nearer than it says; a surface in the
//          robot's own cell, which every ray crosses, is not in it. It errs by +4 mm
//   rays   the nearest of several noisy hits is too near: −5 mm
//
// Where both show something near, the mean of them is right within a millimetre or two.
#pragma once

#include "lab/navigation/obstacle_map.h"
#include "lab/navigation/site_map.h"

namespace elastane::navigation {

class NearClearance final : public ClearanceSource {
 public:
  NearClearance(const SiteMap& map, const ObstacleMap& rays) : map_(map), rays_(rays) {}
  // at a point p, relative to the robot
  Clearance clearance(Vec2 p) const override;

 private:
  const SiteMap& map_;
  const ObstacleMap& rays_;
};

// A command after which there is at least `room` around the body: the command itself if it leaves so much, else the one
// of 49 that does and leads farthest in the wanted direction. If none does, the one that leaves most.
Vec2 with_room(Vec2 command, Vec2 wanted, const ClearanceSource& obstacles, double room);

}  // namespace elastane::navigation
