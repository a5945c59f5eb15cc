// ORCA: the velocity nearest to the wanted one with which nobody collides for a while, if all others take half the
// burden of avoiding too.
//
//   Orca orca({}, 5);
//   Vec2 velocity = orca.choose(me, others, wanted);
//
// Every other disc forbids a half-plane of velocities; within the rest, and the speed limit, a small linear program
// finds the nearest. Where nothing is left, the least bad: the velocity that goes least far into a forbidden
// half-plane. van den Berg, Guy, Lin, Manocha 2011, "Reciprocal n-body collision avoidance".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/planners/vec2.h"

namespace elastane::planners {

// a disc that moves
struct Disc {
  Vec2 position, velocity;
  double radius = 0.3;
};

struct OrcaOptions {
  double neighbour_distance = 10;  // who is farther away, centre to centre, is not looked at
  int neighbours = 10;             // at most, the nearest
  double time_horizon = 5;         // seconds for which velocities are to be safe
  double time_step = 0.25;         // in which to be apart again, where discs overlap already
  double speed_limit = 1;
};
Status validate(const OrcaOptions& options);

// velocities v with cross(direction, v − point) ≥ 0: what lies to the left of a directed line
struct HalfPlane {
  Vec2 point, direction;  // of length 1
  Vec2 outward() const { return {direction.y, -direction.x}; }
  double outside(Vec2 v) const { return -cross(direction, v - point); }  // how far v is forbidden; below 0: it is not
};

// what `other` forbids `me`, who takes half of the burden
HalfPlane forbid(const Disc& me, const Disc& other, const OrcaOptions& options);

// The velocity within `limit` and all half-planes that is nearest to `wanted`. Without any, the one that is least far
// outside. `scratch` has room for as many half-planes as there are
Vec2 nearest_allowed(std::span<const HalfPlane> allowed, double limit, Vec2 wanted, std::span<HalfPlane> scratch);

class Orca {
 public:
  // `others`: how many there may be at most; choosing does not allocate after that
  Orca(const OrcaOptions& options, std::size_t others);

  const OrcaOptions& options() const { return options_; }
  // `margin` is kept by each of two discs, in addition to its radius
  Vec2 choose(const Disc& me, std::span<const Disc> others, Vec2 wanted, double margin = 0);
  // what the others leave, the nearest first; valid until the next call
  std::span<const HalfPlane> allowed(const Disc& me, std::span<const Disc> others, double margin = 0);

 private:
  struct Neighbour {
    double squared_distance;
    const Disc* disc;
  };

  OrcaOptions options_;
  std::vector<Neighbour> neighbours_;
  std::vector<HalfPlane> planes_, scratch_;
};

}  // namespace elastane::planners
