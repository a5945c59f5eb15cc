// A path home over a map: the cells it leads through, what they cost when it was planned, and waypoints along it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "lab/navigation/encoding.h"
#include "lab/navigation/geodesic.h"

namespace elastane::navigation {

class MapPath {
 public:
  explicit MapPath(const SiteMap& map);

  static constexpr int kMostCells = 512;

  void clear() { count_ = at_ = 0; }
  // the path that these distances imply from where the robot is
  void take(std::span<const double> distance);
  // the robot drove on: finds its cell on the path; false if it has left it
  bool follow();
  // does a cell that is still ahead cost more by `tolerance` than when the path was planned?
  bool is_refuted(double tolerance) const;
  bool empty() const { return count_ == 0; }
  std::span<const int> ahead() const { return std::span(cells_).subspan(at(), static_cast<std::size_t>(count_ - at_)); }

  // waypoints relative to the robot: straight to the farthest point of the path that can be reached so, then along it
  std::array<Vec2, kWaypoints> waypoints(std::span<const double> distance) const;

 private:
  std::size_t at() const { return static_cast<std::size_t>(at_); }
  int farthest_straight(std::span<const double> distance) const;
  double straight_cost(Vec2 to) const;

  const SiteMap& map_;
  std::vector<int> cells_;
  std::vector<double> planned_;  // costs
  int count_ = 0, at_ = 0;
};

}  // namespace elastane::navigation
