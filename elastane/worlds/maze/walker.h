// Who walks: from what it is told in a step to a move. All are told the same.
#pragma once

#include "elastane/core/report.h"
#include "elastane/worlds/maze/walk.h"

namespace elastane::maze {

class Walker {
 public:
  virtual ~Walker() = default;
  // a new walk: of the task it may know the plan, the goal and the moves; the seed is for those who draw lots
  virtual void begin(const Task& task, std::uint64_t seed) = 0;
  virtual int act(const Sight& sight) = 0;

  // of the last act
  const StepReport& report() const { return report_; }  // its stage `advance` holds all that is not correction

 protected:
  void charge(std::int64_t madds) { report_.madds[static_cast<int>(Stage::advance)] += madds; }

  StepReport report_;
};

}  // namespace elastane::maze
