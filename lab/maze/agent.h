// Who walks: from what it is told in a step to a move. All agents are told the same.
#pragma once

#include "elastane/core/corrector/report.h"
#include "lab/maze/walk.h"

namespace elastane::maze {

class Agent {
 public:
  virtual ~Agent() = default;
  virtual void begin(const Task& task) = 0;  // a new walk; of the task it may know plan, goal and moves
  virtual int act(const Sight& sight) = 0;
  // before every act: only for those who may know what nobody is told
  virtual void watch(const Walk& /*walk*/) {}

  // of the last act, for tables and pictures
  const StepReport& report() const { return report_; }

 protected:
  StepReport report_;
};

}  // namespace elastane::maze
