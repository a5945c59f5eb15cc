// Mean and half of its 95 % interval, by Student's t.
#pragma once

#include <vector>

namespace elastane::drifting_target {

struct Interval {
  double mean = 0, half = 0;
};
Interval interval(const std::vector<double>& values);

}  // namespace elastane::drifting_target
