// How far the nearest obstacle is: what the costs of a path need to know of them.
#pragma once

#include "lab/navigation/observation.h"

namespace elastane::navigation {

struct Clearance {
  double distance = kRange;  // to the nearest surface that was observed; negative behind it
  Vec2 away;                 // its gradient
};

class ClearanceSource {
 public:
  // at a point p, relative to the robot
  virtual Clearance clearance(Vec2 p) const = 0;

 protected:
  ~ClearanceSource() = default;
};

}  // namespace elastane::navigation
