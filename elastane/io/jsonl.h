// One line of JSON as the fields of a row: the values of an object, or of a list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/io/cell.h"

namespace elastane {

struct JsonLine {
  bool is_list = false;
  std::vector<std::string> keys;   // of an object, in the order of the line; no key is there twice
  std::vector<TableField> fields;  // views of `texts`
  std::vector<std::string> texts;
};

// Numbers, null, and text, which is read as a cell of text is. A refusal says what was expected and found, not in which
// line; the caller knows.
Status parse_json_line(std::string_view line, JsonLine& out);

}  // namespace elastane
