// What a process holds in memory, to show that a stream's cost stays flat.
#pragma once

#include <cstdint>
#include <fstream>

namespace elastane {

inline std::int64_t resident_kilobytes() {
  std::ifstream status("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  status >> all >> resident;
  return resident * 4;
}

}  // namespace elastane
