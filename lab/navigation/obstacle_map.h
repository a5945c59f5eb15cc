// The distance to obstacles around the robot, reconstructed from ray hits.
//
// Neighbouring hits that are close together are joined to a piece of surface. The robot is in front of it; distances
// behind it are negative. A ray that fails keeps its last hit, which moves along with the robot.
#pragma once

#include <array>

#include "lab/navigation/clearance.h"
#include "lab/navigation/observation.h"

namespace elastane::navigation {

class ObstacleMap final : public ClearanceSource {
 public:
  void observe(const Observation& observation);
  // at a point p, relative to the robot
  Clearance clearance(Vec2 p) const override;
  // did any ray answer in the last observation?
  bool fresh() const { return fresh_; }
  // the hit of a ray, relative to the robot
  bool has_hit(int ray) const { return seen_[static_cast<std::size_t>(ray)]; }
  Vec2 hit(int ray) const { return hit_[static_cast<std::size_t>(ray)]; }

 private:
  struct Surface {
    Vec2 from, to;
    double front = 0;  // the side of the line that the robot is on; 0: a single point
  };
  void join();

  std::array<Vec2, kRays> hit_ = {};
  std::array<bool, kRays> seen_ = {};
  std::array<Surface, 2 * kRays> surfaces_ = {};
  int count_ = 0;
  bool fresh_ = false;
};

}  // namespace elastane::navigation
