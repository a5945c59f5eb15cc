// The way to the dock, by one who knows the whole site: a grid planner whose ways are pulled straight.
//
// Dijkstra from the dock over cells and sixteen neighbours, in steps of the robot: uphill costs more, and so does a
// place close to an obstacle. From a cell one drives at the farthest point of its way that can be seen with room to
// spare and costs no more than the way itself.
#pragma once

#include <span>
#include <vector>

#include "lab/navigation/site.h"

namespace elastane::navigation {

class Route {
 public:
  explicit Route(const Site& site);

  bool reaches(Point p) const { return cost(p) < kUnreached; }
  bool reaches_all() const;      // every place where the robot has room
  double cost(Point p) const;    // steps to the dock, about
  Point toward(Point p) const;   // where to drive at from p
  Point advance(Point p) const;  // one step of the way

  // where the robot is after every `stride` steps of the way, seen from p; it stays at the dock
  void plan(Point p, int stride, std::span<Point> way) const;

 private:
  static constexpr int kCells = 80;  // a side
  static constexpr double kUnreached = 1e9;

  static Point centre(int cell) { return {(cell % kCells + 0.5) / kCells, (cell / kCells + 0.5) / kCells}; }
  static int cell_of(Point p);
  int nearest_free(Point p) const;  // cell
  bool has_room(int cell) const;
  double edge(int from, int to) const;    // its cost in steps, kUnreached where there is no room
  bool sees(Point from, Point to) const;  // with room for the robot
  double straight(Point from, Point to) const;
  void search();
  void pull_straight();

  Site site_;
  std::vector<double> room_;   // clearance of cells
  std::vector<double> shy_;    // what being there costs, against the open
  std::vector<Point> slope_;   // of their ground
  std::vector<double> cost_;   // steps from cells to the dock
  std::vector<int> next_;      // cell after it; itself at the end
  std::vector<Point> target_;  // where to drive at
};

}  // namespace elastane::navigation
