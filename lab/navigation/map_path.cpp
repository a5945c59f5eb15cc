#include "lab/navigation/map_path.h"

#include <algorithm>

namespace elastane::navigation {
namespace {

constexpr double kLeft = 2.5;       // cells from the path at which the robot has left it
constexpr int kLook = 8;            // cells ahead among which the robot's is searched
constexpr int kFarthest = 48;       // cells ahead that may be driven at directly
constexpr double kLonger = 1.03;    // a straight line may cost so much more than the path,
constexpr double kLongerBy = 0.75;  // and by so many cells
constexpr double kLeg = kStride * kSpeed;

}  // namespace

MapPath::MapPath(const SiteMap& map) : map_(map), cells_(kMostCells), planned_(kMostCells) {}

void MapPath::take(std::span<const double> distance) {
  at_ = 0;
  count_ = extract_path(map_, distance, map_.at(map_.place()), cells_);
  for (int k = 0; k < count_; ++k) {
    planned_[static_cast<std::size_t>(k)] = map_.cost(cells_[static_cast<std::size_t>(k)]);
  }
}

bool MapPath::follow() {
  double least = kLeft * map_.cell();
  int nearest = -1;
  for (int k = at_; k < std::min(count_, at_ + kLook); ++k) {
    const double far = norm(map_.centre(cells_[static_cast<std::size_t>(k)]) - map_.place());
    if (far <= least) least = far, nearest = k;
  }
  if (nearest >= 0) at_ = nearest;
  return nearest >= 0;
}

bool MapPath::is_refuted(double tolerance) const {
  for (int k = at_; k < count_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (map_.cost(cells_[i]) > planned_[i] + tolerance) return true;
  }
  return false;
}

// in cells
double MapPath::straight_cost(Vec2 to) const {
  const Vec2 from = map_.place();
  const double length = norm(to - from) / map_.cell();
  const int samples = std::max(1, static_cast<int>(2 * length));
  double sum = 0;
  for (int s = 0; s < samples; ++s) sum += map_.cost(map_.at(from + (to - from) * ((s + 0.5) / samples)));
  return sum * length / samples;
}

int MapPath::farthest_straight(std::span<const double> distance) const {
  const double here = interpolate(map_, distance, map_.place()).value / map_.cell();
  for (int k = std::min(count_ - 1, at_ + kFarthest); k > at_ + 1; k -= k > at_ + 12 ? 4 : 1) {
    const int cell = cells_[static_cast<std::size_t>(k)];
    const double along = here - distance[static_cast<std::size_t>(cell)];
    if (straight_cost(map_.centre(cell)) <= kLonger * along + kLongerBy) return k;
  }
  return std::min(count_ - 1, at_ + 1);
}

std::array<Vec2, kWaypoints> MapPath::waypoints(std::span<const double> distance) const {
  std::array<Vec2, kWaypoints> made = {};
  if (count_ == 0) return made;
  int k = farthest_straight(distance);
  Vec2 p = map_.place();
  const auto target = [&] { return k >= count_ - 1 ? Vec2{} : map_.centre(cells_[static_cast<std::size_t>(k)]); };
  for (Vec2& waypoint : made) {
    double left = kLeg;
    while (true) {
      const Vec2 off = target() - p;
      const double far = norm(off);
      if (far >= left) {
        p += off * (left / far);
        break;
      }
      p = target();
      left -= far;
      if (k >= count_ - 1) break;
      ++k;
    }
    waypoint = p - map_.place();
  }
  return made;
}

}  // namespace elastane::navigation
