// The path to the dock, planned with full knowledge of the site: a grid planner whose paths are pulled straight.
//
// Dijkstra from the dock over cells and sixteen neighbours. Costs are steps of the robot; uphill costs more, and so do
// positions close to an obstacle. From a cell the robot heads for the farthest point of its path that it can see with
// room to spare, as long as that costs no more than the path itself.
#pragma once

#include <span>
#include <vector>

#include "lab/navigation/site.h"

namespace elastane::navigation {

class Route {
 public:
  explicit Route(const Site& site);

  bool reaches(Vec2 p) const { return cost(p) < kUnreached; }
  bool reaches_all() const;    // from every position where the robot has room
  double cost(Vec2 p) const;   // steps to the dock, approximately
  Vec2 toward(Vec2 p) const;   // the point to head for from p
  Vec2 advance(Vec2 p) const;  // the position after one step of the path

  // the positions after every `stride` steps of the path, relative to p; at the dock the path ends
  void plan(Vec2 p, int stride, std::span<Vec2> path) const;

 private:
  static constexpr int kCells = 80;  // per side
  static constexpr double kUnreached = 1e9;

  static Vec2 centre(int cell) { return {(cell % kCells + 0.5) / kCells, (cell / kCells + 0.5) / kCells}; }
  static int cell_of(Vec2 p);
  int nearest_free(Vec2 p) const;  // cell
  bool has_room(int cell) const;
  double edge(int from, int to) const;  // its cost in steps; kUnreached without room
  bool sees(Vec2 from, Vec2 to) const;  // with room for the robot
  double straight(Vec2 from, Vec2 to) const;
  void search();
  void pull_straight();

  Site site_;
  //                              meaning                                             all: one per cell
  std::vector<double> room_;  // clearance
  std::vector<double> shy_;   // cost of a step here, relative to open ground
  std::vector<Vec2> slope_;   // of the ground
  std::vector<double> cost_;  // steps to the dock
  std::vector<int> next_;     // the next cell of the path; the cell itself at the end
  std::vector<Vec2> target_;  // the point to head for
};

// a site together with its route to the dock
struct RoutedSite {
  Site site;
  Route route;
  explicit RoutedSite(Site s) : site(std::move(s)), route(site) {}
};

// site i is random_site(1000·seed + i)
std::vector<RoutedSite> random_sites(std::uint64_t seed, int count);

}  // namespace elastane::navigation
