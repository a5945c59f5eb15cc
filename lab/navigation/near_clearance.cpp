#include "lab/navigation/near_clearance.h"

#include <algorithm>

#include "lab/navigation/site.h"

namespace elastane::navigation {
namespace {

constexpr double kBothNear = 0.06;  // farther away it does not matter how far
constexpr double kRayBias = 0.004;  // by which rays alone are too near

}  // namespace

Clearance NearClearance::clearance(Vec2 p) const {
  const Clearance remembered = map_.clearance(p), seen = rays_.clearance(p);
  if (remembered.distance < kBothNear && seen.distance < kBothNear) {
    const Vec2 away = remembered.away + seen.away;
    const double length = norm(away);
    return {0.5 * (remembered.distance + seen.distance), length > 0 ? away * (1 / length) : seen.away};
  }
  const Clearance alone = {seen.distance + kRayBias, seen.away};
  return alone.distance < remembered.distance ? alone : remembered;
}

Vec2 with_room(Vec2 command, Vec2 wanted, const ClearanceSource& obstacles, double room) {
  const auto left = [&](Vec2 tried) { return std::min(obstacles.clearance(tried).distance - kBody, room); };
  double most = left(command), farthest = dot(command, wanted);
  if (most >= room) return command;
  Vec2 best = command;
  const auto consider = [&](Vec2 tried) {
    const double leaves = left(tried), leads = dot(tried, wanted);
    if (leaves > most || (leaves == most && leads > farthest)) most = leaves, farthest = leads, best = tried;
  };
  for (int i = 0; i < kRays; ++i) {
    for (const double speed : {kSpeed, 0.5 * kSpeed}) consider(ray_direction(i) * speed);
  }
  consider({});
  return best;
}

}  // namespace elastane::navigation
