// The expert: an optimistic re-planner. It believes what it saw last, expects the plan everywhere else, and takes the
// shortest path through that. Policies imitate it; it is the upper bound for agents with the same observations.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "lab/maze/environment.h"

namespace elastane::maze {

class Expert {
 public:
  void begin(const Episode& episode);  // reads plan, goal and moves only
  void observe(const Observation& observation);

  // the moves that begin a shortest path, with equal shares; the expert takes the first of them
  using Shares = std::array<double, kMaxMoves>;
  Shares shares() const;
  int act() const;

  const Grid& belief() const { return belief_; }
  std::int64_t expansions() const { return expansions_; }  // cells that its searches reached, since begin

 private:
  bool update_belief(const Observation& observation);  // true if something changed

  Grid plan_, belief_;
  Moves moves_ = Moves::four;
  Cell at_, goal_;
  void search();

  std::vector<double> distances_;  // to the goal
  std::int64_t expansions_ = 0;
};

}  // namespace elastane::maze
