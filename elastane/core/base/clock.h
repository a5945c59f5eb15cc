// The time, for budgets and reports: read from memory that the system shares, without a system call.
#pragma once

#include <ctime>

namespace elastane {

// microseconds since an arbitrary moment; never decreases
inline double now_micros() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

}  // namespace elastane
