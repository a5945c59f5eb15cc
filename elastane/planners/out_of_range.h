// The error message for an option out of range, with the same wording for all planners.
#pragma once

#include <cstdio>
#include <string>

#include "elastane/core/base/result.h"

namespace elastane::planners {

inline Error out_of_range(const char* planner, const char* option, const char* range, double found) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", found);
  return Error{std::string("[") + planner + "] " + option + ": expected " + range + ", found " + digits};
}

}  // namespace elastane::planners
