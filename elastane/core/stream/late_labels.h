// The inputs and labels of the last steps, so that a late label can be used as if it had come in time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/network/step.h"

namespace elastane {

class LateLabels {
 public:
  enum class Corrected : std::uint8_t { no, by_label, by_objective };

  // one step: views into what is kept
  struct Entry {
    std::span<float> x;
    std::span<std::uint8_t> present;
    std::span<float> label;  // NaN where there is none
    float& dt;
    bool& anticipated;
    Corrected& corrected;
    Budget& budget;
  };

  LateLabels(int inputs, int outputs, int depth);

  int depth() const { return depth_; }
  // of the step that led to `position`; older steps than depth are overwritten
  Entry at(std::uint64_t position);

  // a step was taken, and is not corrected yet
  void keep(std::uint64_t position, const Sample& sample);

 private:
  struct Fixed {
    float dt = 1;
    bool anticipated = false;
    Corrected corrected = Corrected::no;
    Budget budget;
  };

  int inputs_, outputs_, depth_;
  std::vector<float> x_, labels_;
  std::vector<std::uint8_t> present_;
  std::vector<Fixed> fixed_;
};

}  // namespace elastane
