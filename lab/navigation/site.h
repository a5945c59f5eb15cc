// A site: a unit square with hills, barriers, discs, three crates, and a dock that the robot drives home to.
//
// Uphill a robot is slower. The crates stand at the edge, where somebody may fetch one and leave it in the way. Sites
// are made by seed; from everywhere that is free there is a way to the dock.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/navigation/geometry.h"

namespace elastane::navigation {

// the robot
inline constexpr double kBody = 0.015;     // its radius
inline constexpr double kSpeed = 0.012;    // most that it drives in a step, on the flat
inline constexpr double kArrived = 0.025;  // from the dock
inline constexpr double kClimb = 2.0;      // uphill, a slope of s costs 1 + kClimb·s times the flat

struct Hill {
  Point centre;
  double height = 0, width = 0;  // height·exp(−r²/2width²)
};

inline constexpr int kCrates = 3;                             // small, medium, large
inline constexpr double kCrateRadius[] = {0.05, 0.075, 0.1};  // of each

struct Site {
  std::vector<Hill> hills;
  std::vector<Barrier> barriers;
  std::vector<Disc> discs;  // of those of random_site, the first kCrates are crates
  Point dock;

  double height(Point p) const;
  Point slope(Point p) const;       // ∇height
  double clearance(Point p) const;  // from p to the nearest surface or edge; negative inside
  double cast(Point from, Point direction) const;

  // what a step costs against the flat, in direction `way`
  double effort(Point p, Point way) const;
};

// the same where the slope is known
double effort(Point slope, Point way);

// of the kind that policies are trained on
Site random_site(std::uint64_t seed);

// shapes within reason, the dock free
Status validate(const Site& site);

}  // namespace elastane::navigation
