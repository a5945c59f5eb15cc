// A Markdown table whose columns line up, so that it reads well in a terminal too.
#pragma once

#include <string>
#include <vector>

namespace elastane::command_line {

struct AlignedTable {
  std::vector<std::string> header;  // the first column is set left, the others right
  std::vector<std::vector<std::string>> rows;
  int left = 1;  // columns that are set left

  std::string text() const;  // ends in a newline
};

}  // namespace elastane::command_line
