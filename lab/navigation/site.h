// A site: a unit square with hills, barriers, discs, three crates, and a dock that the robot drives home to.
//
// Driving uphill is slower. The crates stand at the edge until one of them is placed on the robot's path. random_site
// draws sites by seed; from every free position on them a path leads to the dock.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/navigation/geometry.h"

namespace elastane::navigation {

// the robot
inline constexpr double kBody = 0.015;     // its radius
inline constexpr double kSpeed = 0.012;    // the longest step on flat ground
inline constexpr double kArrived = 0.025;  // distance from the dock that counts as home
inline constexpr double kClimb = 2.0;      // a slope of s uphill costs 1 + kClimb·s times flat ground

struct Hill {
  Vec2 centre;
  double height = 0, width = 0;  // height·exp(−r²/2width²)
};

inline constexpr int kCrates = 3;                             // small, medium, large
inline constexpr double kCrateRadius[] = {0.05, 0.075, 0.1};  // of each

struct Site {
  std::vector<Hill> hills;
  std::vector<Barrier> barriers;
  std::vector<Disc> discs;  // in a site of random_site, the first kCrates are crates
  Vec2 dock;

  double height(Vec2 p) const;
  Vec2 slope(Vec2 p) const;        // ∇height
  double clearance(Vec2 p) const;  // from p to the nearest surface or edge; negative inside
  double cast(Vec2 from, Vec2 direction) const;

  // the cost of a step in this direction, relative to flat ground
  double effort(Vec2 p, Vec2 direction) const;
};

// the same for a known slope
double effort(Vec2 slope, Vec2 direction);

// a site of the kind that policies are trained on
Site random_site(std::uint64_t seed);

// checks that shapes are within their limits and the dock is free
Status validate(const Site& site);

}  // namespace elastane::navigation
