// The optimistic re-planner: believes what it saw last, expects the plan of all else, and walks the shortest way over
// that. It is whom policies imitate, and the ceiling for all who are told the same.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "lab/maze/walk.h"

namespace elastane::maze {

class Replanner {
 public:
  void begin(const Task& task);  // looks at its plan, goal and moves alone
  void see(const Sight& sight);

  // the moves that begin a shortest way, each with an equal share; the first of them is what it does
  using Shares = std::array<double, kMostWays>;
  Shares shares() const;
  int act() const;

  const Grid& belief() const { return belief_; }

 private:
  bool believe(const Sight& sight);  // something new?

  Grid plan_, belief_;
  Moves moves_ = Moves::four;
  Cell at_, goal_;
  std::vector<double> lengths_;  // to the goal
};

}  // namespace elastane::maze
