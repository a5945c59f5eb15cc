// Who drives: from what it is told in a step to a command. All agents are told the same.
#pragma once

#include <array>
#include <span>

#include "elastane/core/corrector/report.h"
#include "lab/navigation/drive.h"
#include "lab/navigation/language.h"

namespace elastane::navigation {

class Agent {
 public:
  virtual ~Agent() = default;
  virtual void begin() = 0;  // a new drive
  virtual Point act(const Sight& sight) = 0;

  // of the last act, for tables and pictures
  const StepReport& report() const { return report_; }
  std::span<const Point> way() const { return way_; }  // as seen from the robot

 protected:
  template <class T>
  void show(std::span<const T> y) {
    for (int k = 0; k < kStops; ++k) way_[static_cast<std::size_t>(k)] = stop(y, k);
  }

  StepReport report_;
  std::array<Point, kStops> way_ = {};
};

}  // namespace elastane::navigation
