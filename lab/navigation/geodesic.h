// Distances home over a map: the shortest cost from every cell to the dock, by marching (an eikonal equation).
//
//   D = 0 at the dock        |∇D| = cost        D(c) = U(D, c) at every cell, U the upwind update
//
// A queue of buckets marches from the dock until it is some way beyond the robot. A cell that becomes nearer after it left
// the queue enters it again, so the result is a fixed point of U and not an approximation of one. All in cells.
#pragma once

#include <span>
#include <vector>

#include "lab/navigation/site_map.h"

namespace elastane::navigation {

class Geodesic {
 public:
  explicit Geodesic(const SiteMap& map);

  static constexpr double kUnknown = 1e5;
  static constexpr double kBeyond = 10;  // cells behind the robot that agents march to

  // U: what the neighbours' distances and the cell's cost imply for it
  static double update(const SiteMap& map, std::span<const double> distance, int i);

  // marches until the robot's cell and all within `beyond` cells of cost behind it are known
  void march(int robot, double beyond, std::span<double> distance);
  std::int64_t visited() const { return visited_; }  // cells of the last march

 private:
  static constexpr int kBuckets = 512;
  static constexpr double kWidth = 0.25;  // of a bucket; the queue spans at most the largest cost

  void push(int i, double distance);
  void remove(int i);
  bool inside(int i) const;

  const SiteMap& map_;
  SiteMap::Bounds bounds_ = {};
  std::int64_t visited_ = 0;
  std::vector<int> head_, next_, before_, bucket_;  // lists of cells by bucket; bucket −1: not in the queue
  int waiting_ = 0;
};

// the cells from the robot to the dock, each the neighbour with the least distance; empty if none is known. At most
// `cells.size()` of them are written, and their number is returned
int extract_path(const SiteMap& map, std::span<const double> distance, int robot, std::span<int> cells);

// D between cell centres in units of length, with its gradient; kUnknown becomes the largest known neighbour
struct Distance {
  double value = 0;
  Vec2 slope;
};
Distance interpolate(const SiteMap& map, std::span<const double> distance, Vec2 place);

}  // namespace elastane::navigation
