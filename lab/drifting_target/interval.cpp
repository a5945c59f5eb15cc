#include "lab/drifting_target/interval.h"

#include <cmath>
#include <iterator>

namespace elastane::drifting_target {

Interval interval(const std::vector<double>& values) {
  constexpr double kStudent[] = {0, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
  const auto n = static_cast<double>(values.size());
  Interval result;
  for (const double value : values) result.mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  const std::size_t freedom = values.size() - 1;
  const double t = freedom < std::size(kStudent) ? kStudent[freedom] : 1.96;
  result.half = freedom > 0 ? t * std::sqrt(squares / static_cast<double>(freedom) / n) : 0.0;
  return result;
}

}  // namespace elastane::drifting_target
