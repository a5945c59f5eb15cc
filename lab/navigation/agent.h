// An agent: turns the observation of each step into a command. All agents observe the same.
#pragma once

#include <array>
#include <span>

#include "elastane/core/corrector/report.h"
#include "lab/navigation/encoding.h"

namespace elastane::navigation {

class Agent {
 public:
  virtual ~Agent() = default;
  virtual void begin() = 0;  // a new episode
  virtual Vec2 act(const Observation& observation) = 0;

  // of the last act, for tables and figures
  const StepReport& report() const { return report_; }
  std::span<const Vec2> path() const { return path_; }  // relative to the robot

 protected:
  template <class T>
  void keep_path(std::span<const T> y) {
    for (int k = 0; k < kWaypoints; ++k) path_[static_cast<std::size_t>(k)] = waypoint(y, k);
  }

  StepReport report_;
  std::array<Vec2, kWaypoints> path_ = {};
};

}  // namespace elastane::navigation
