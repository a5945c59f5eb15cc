// An agent: from an observation to a move. All agents observe the same.
#pragma once

#include "elastane/core/corrector/report.h"
#include "lab/maze/environment.h"

namespace elastane::maze {

class Agent {
 public:
  virtual ~Agent() = default;
  virtual void begin(const Episode& episode) = 0;  // of the episode it may use plan, goal, moves and seed
  virtual int act(const Observation& observation) = 0;
  // called before every act; only for oracles, which may use what agents cannot observe
  virtual void watch(const Environment& /*environment*/) {}

  // of the last act, for tables and figures
  const StepReport& report() const { return report_; }

 protected:
  StepReport report_;
};

}  // namespace elastane::maze
