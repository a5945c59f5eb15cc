// Messages about maps and scenarios.
#pragma once

#include <string>

#include "elastane/core/base/result.h"
#include "lab/maze/grid.h"

namespace elastane::maze {

inline Error map_error(const std::string& where, const std::string& expected, const std::string& found,
                       const char* change = "see the MovingAI format") {
  return Error{"[maze] " + where + ": expected " + expected + ", found " + found + "; " + change};
}

inline std::string cell_name(Cell c) { return "cell (" + std::to_string(c.x) + ", " + std::to_string(c.y) + ")"; }

inline std::string size_name(int width, int height) { return std::to_string(width) + " x " + std::to_string(height); }

}  // namespace elastane::maze
