// ORCA: the velocity nearest to the preferred one that avoids collisions for a given time, if each of two agents does
// half of the avoiding.
//
//   Orca orca({}, 5);
//   Vec2 velocity = orca.choose(me, others, wanted);
//
// Every other disc forbids a half-plane of velocities. A small linear program finds the nearest velocity among the rest,
// within the speed limit. If no velocity is allowed, it returns the one that violates the half-planes least.
// van den Berg, Guy, Lin, Manocha 2011, "Reciprocal n-body collision avoidance".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/planners/vec2.h"

namespace elastane::planners {

// a disc with a velocity
struct MovingDisc {
  Vec2 position, velocity;
  double radius = 0.3;
};

struct OrcaOptions {
  double neighbour_distance = 10;  // discs farther away, centre to centre, are ignored
  int neighbours = 10;             // the nearest, at most this many
  double time_horizon = 5;         // seconds for which velocities are to be safe
  double time_step = 0.25;         // in which discs that overlap must separate
  double speed_limit = 1;
};
Status validate(const OrcaOptions& options);

// velocities v with cross(direction, v − point) ≥ 0: what lies to the left of a directed line
struct HalfPlane {
  Vec2 point, direction;  // of length 1
  Vec2 outward() const { return {direction.y, -direction.x}; }
  double outside(Vec2 v) const { return -cross(direction, v - point); }  // how far v is forbidden; below 0: it is not
};

// the velocities that `other` forbids `me`, which does half of the avoiding
HalfPlane forbid(const MovingDisc& me, const MovingDisc& other, const OrcaOptions& options);

// The velocity within `limit` and all half-planes that is nearest to `wanted`; if there is none, the one that is least
// far outside. `scratch` has room for as many half-planes as `allowed`.
Vec2 nearest_allowed(std::span<const HalfPlane> allowed, double limit, Vec2 wanted, std::span<HalfPlane> scratch);

class Orca {
 public:
  // `others`: the largest number of other discs. Choosing does not allocate.
  Orca(const OrcaOptions& options, std::size_t others);

  const OrcaOptions& options() const { return options_; }
  // `margin` is added to the radius of both discs
  Vec2 choose(const MovingDisc& me, std::span<const MovingDisc> others, Vec2 wanted, double margin = 0);
  // the half-planes that the others leave, the nearest first; valid until the next call
  std::span<const HalfPlane> allowed(const MovingDisc& me, std::span<const MovingDisc> others, double margin = 0);

 private:
  struct Neighbour {
    double squared_distance;
    const MovingDisc* disc;
  };

  OrcaOptions options_;
  std::vector<Neighbour> neighbours_;
  std::vector<HalfPlane> planes_, scratch_;
};

}  // namespace elastane::planners
