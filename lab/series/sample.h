// A table to try things on: the hourly load of a small town, which follows the hour, the weather and the week, and
// whose habits change at some row.
#pragma once

#include <cstdint>
#include <string>

namespace elastane::series {

struct SampleOptions {
  int rows = 4000;
  int change = 2600;  // the row from which on people get up two hours later, and heat more
  std::uint64_t seed = 1;
};

// separated values: time, load (MW), temperature (°C)
std::string sample_table(const SampleOptions& options);

}  // namespace elastane::series
