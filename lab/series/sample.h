// A sample table: the hourly load of a small town, which depends on the hour, the weather and the weekday. At some row the
// habits of the town change.
#pragma once

#include <cstdint>
#include <string>

namespace elastane::series {

struct SampleOptions {
  int rows = 4000;
  int change = 2600;  // the row from which people get up two hours later and heat more
  std::uint64_t seed = 1;
};

// separated values: time, load (MW), temperature (°C)
std::string sample_table(const SampleOptions& options);

}  // namespace elastane::series
