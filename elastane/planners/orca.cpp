#include "elastane/planners/orca.h"

#include <algorithm>
#include <limits>

#include "elastane/planners/out_of_range.h"

namespace elastane::planners {
namespace {

constexpr double kParallel = 1e-5;  // sine of an angle below which two lines count as parallel

// the aim of a linear program: the point nearest to `at`, or the farthest in the direction `at`
struct Aim {
  Vec2 at;
  bool is_direction;
};

// a stretch of a half-plane's border: point + t·direction, low ≤ t ≤ high
struct Stretch {
  double low, high;
};

// the part of plane i's border that lies within the limit and the planes before it; false if there is none
bool cut(std::span<const HalfPlane> planes, std::size_t i, double limit, Stretch& left) {
  const HalfPlane& line = planes[i];
  const double along = dot(line.point, line.direction);
  const double discriminant = along * along + limit * limit - dot(line.point, line.point);
  if (discriminant < 0) return false;  // the whole border exceeds the limit
  const double half = std::sqrt(discriminant);
  left = {-along - half, -along + half};
  for (std::size_t j = 0; j < i; ++j) {
    const double sine = cross(line.direction, planes[j].direction);
    const double outside = cross(planes[j].direction, line.point - planes[j].point);
    if (std::fabs(sine) <= kParallel) {
      if (outside < 0) return false;
      continue;
    }
    const double t = outside / sine;
    (sine >= 0 ? left.high : left.low) = sine >= 0 ? std::min(left.high, t) : std::max(left.low, t);
    if (left.low > left.high) return false;
  }
  return true;
}

Vec2 best_on(const HalfPlane& line, const Stretch& stretch, const Aim& aim) {
  if (aim.is_direction) {
    return line.point + (dot(aim.at, line.direction) > 0 ? stretch.high : stretch.low) * line.direction;
  }
  const double t = dot(line.direction, aim.at - line.point);
  return line.point + std::clamp(t, stretch.low, stretch.high) * line.direction;
}

// Incremental linear program: if the next plane forbids the best point so far, the new best lies on that plane's border.
// Returns how many planes could be satisfied; `best` is the solution of the last feasible program.
std::size_t solve(std::span<const HalfPlane> planes, double limit, const Aim& aim, Vec2& best) {
  best = aim.is_direction ? limit * aim.at : shortened(aim.at, limit);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (planes[i].outside(best) <= 0) continue;
    Stretch stretch{};
    if (!cut(planes, i, limit, stretch)) return i;
    best = best_on(planes[i], stretch, aim);
  }
  return planes.size();
}

// The border between the points that are farther outside of `a` and those farther outside of `b`; false if there is none
bool between(const HalfPlane& a, const HalfPlane& b, HalfPlane& border) {
  const double sine = cross(a.direction, b.direction);
  if (std::fabs(sine) <= kParallel) {
    if (dot(a.direction, b.direction) > 0) return false;
    border.point = 0.5 * (a.point + b.point);
  } else {
    border.point = a.point + (cross(b.direction, a.point - b.point) / sine) * a.direction;
  }
  border.direction = direction(b.direction - a.direction);
  return true;
}

// The planes from `first` on cannot all be satisfied: moves all of them back by the same amount, the smallest possible.
void relax(std::span<const HalfPlane> planes, std::size_t first, double limit, std::span<HalfPlane> scratch,
           Vec2& best) {
  double outside = 0;
  for (std::size_t i = first; i < planes.size(); ++i) {
    if (planes[i].outside(best) <= outside) continue;
    std::size_t count = 0;
    for (std::size_t j = 0; j < i; ++j) count += between(planes[i], planes[j], scratch[count]) ? 1 : 0;
    const Vec2 before = best;
    // only rounding can make this fail: the current best is feasible by construction
    if (solve(scratch.first(count), limit, {turned_left(planes[i].direction), true}, best) < count) best = before;
    outside = planes[i].outside(best);
  }
}

}  // namespace

Status validate(const OrcaOptions& o) {
  // negated, so that NaN fails too
  if (!(o.neighbour_distance > 0)) return out_of_range("orca", "neighbour_distance", "above 0", o.neighbour_distance);
  if (o.neighbours < 0) return out_of_range("orca", "neighbours", "at least 0", o.neighbours);
  if (!(o.time_horizon > 0)) return out_of_range("orca", "time_horizon", "above 0", o.time_horizon);
  if (!(o.time_step > 0)) return out_of_range("orca", "time_step", "above 0", o.time_step);
  if (!(o.speed_limit > 0)) return out_of_range("orca", "speed_limit", "above 0", o.speed_limit);
  return {};
}

// Relative velocities that lead to a collision within τ form a cone, truncated by a disc of radius r/τ around p/τ. u is
// the smallest change that leaves it. Each disc makes half of it: the border passes through v + u/2.   (van den Berg, §4)
HalfPlane forbid(const MovingDisc& me, const MovingDisc& other, const OrcaOptions& options) {
  const Vec2 p = other.position - me.position, v = me.velocity - other.velocity;
  const double r = me.radius + other.radius, squared = dot(p, p);
  const bool apart = squared > r * r;
  const double tau = apart ? options.time_horizon : options.time_step;
  const Vec2 w = v - (1 / tau) * p;  // from the centre of the truncating disc
  const double ahead = dot(w, p);

  HalfPlane plane;
  Vec2 u;
  if (!apart || (ahead < 0 && ahead * ahead > r * r * dot(w, w))) {
    // out through the disc
    const Vec2 out = direction(w);
    plane.direction = {out.y, -out.x};
    u = (r / tau - norm(w)) * out;
  } else {
    // out through the nearer leg of the cone
    const double leg = std::sqrt(squared - r * r);
    plane.direction = cross(p, w) > 0 ? (1 / squared) * Vec2{p.x * leg - p.y * r, p.x * r + p.y * leg}
                                      : (-1 / squared) * Vec2{p.x * leg + p.y * r, -p.x * r + p.y * leg};
    u = dot(v, plane.direction) * plane.direction - v;
  }
  plane.point = me.velocity + 0.5 * u;
  return plane;
}

Vec2 nearest_allowed(std::span<const HalfPlane> allowed, double limit, Vec2 wanted, std::span<HalfPlane> scratch) {
  Vec2 best;
  const std::size_t kept = solve(allowed, limit, {wanted, false}, best);
  if (kept < allowed.size()) relax(allowed, kept, limit, scratch, best);
  return best;
}

Orca::Orca(const OrcaOptions& options, std::size_t others)
    : options_(options), neighbours_(others), planes_(others), scratch_(others) {}

Vec2 Orca::choose(const MovingDisc& me, std::span<const MovingDisc> others, Vec2 wanted, double margin) {
  return nearest_allowed(allowed(me, others, margin), options_.speed_limit, wanted, scratch_);
}

std::span<const HalfPlane> Orca::allowed(const MovingDisc& me, std::span<const MovingDisc> others, double margin) {
  std::size_t count = 0;
  for (const MovingDisc& other : others.first(std::min(others.size(), neighbours_.size()))) {
    const Vec2 p = other.position - me.position;
    const double squared = dot(p, p);
    if (squared < options_.neighbour_distance * options_.neighbour_distance) neighbours_[count++] = {squared, &other};
  }
  // the nearest first: if not all planes can be satisfied, theirs are
  const auto near = std::span(neighbours_).first(count);
  std::ranges::sort(near, {}, &Neighbour::squared_distance);
  const std::size_t seen = std::min(count, static_cast<std::size_t>(options_.neighbours));
  const auto wider = [margin](MovingDisc disc) {
    disc.radius += margin;
    return disc;
  };
  for (std::size_t i = 0; i < seen; ++i) planes_[i] = forbid(wider(me), wider(*near[i].disc), options_);
  return std::span(planes_).first(seen);
}

}  // namespace elastane::planners
