// Grids drawn as text, for tests.
#pragma once

#include <initializer_list>
#include <string_view>

#include "lab/maze/grid.h"

namespace elastane::maze {

// '.' is free; all rows have the same length
inline Grid drawn(std::initializer_list<const char*> rows) {
  Grid grid(static_cast<int>(std::string_view(*rows.begin()).size()), static_cast<int>(rows.size()), true);
  int y = 0;
  for (const std::string_view row : rows) {
    for (int x = 0; x < grid.width(); ++x) grid.set_wall({x, y}, row[static_cast<std::size_t>(x)] != '.');
    ++y;
  }
  return grid;
}

}  // namespace elastane::maze
