// What the rays tell about room: a distance to obstacles, put together from where rays hit.
//
// Neighbouring hits that are not far apart are joined to a piece of surface; the robot is in front of it, and what is
// on the other side has a negative distance. A ray that gives no answer keeps its last hit, which moves along.
#pragma once

#include <array>

#include "lab/navigation/drive.h"

namespace elastane::navigation {

struct Room {
  double distance = kRange;  // to the nearest surface that was seen; negative behind it
  Point away;                // its gradient
};

class RayView {
 public:
  void see(const Sight& sight);
  // p as seen from the robot
  Room room(Point p) const;
  // did the last sight bring anything new?
  bool fresh() const { return fresh_; }
  // where a ray hit something, as seen from the robot
  bool has_hit(int ray) const { return seen_[static_cast<std::size_t>(ray)]; }
  Point hit(int ray) const { return hit_[static_cast<std::size_t>(ray)]; }

 private:
  struct Surface {
    Point from, to;
    double front = 0;  // side of the line that the robot saw it from; 0: a single point
  };
  void join();

  std::array<Point, kRays> hit_ = {};
  std::array<bool, kRays> seen_ = {};
  std::array<Surface, 2 * kRays> surfaces_ = {};
  int count_ = 0;
  bool fresh_ = false;
};

}  // namespace elastane::navigation
