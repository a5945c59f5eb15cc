// Reads one line of JSON as the fields of a row: the values of an object or of a list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/io/cell.h"

namespace elastane {

struct JsonLine {
  bool is_list = false;
  std::vector<std::string> keys;   // of an object, in the order of the line; all different
  std::vector<TableField> fields;  // views of `texts`
  std::vector<std::string> texts;
};

// Accepts numbers, null and text, which is read like a cell of text. The message of a refusal does not name the line; the
// caller adds it.
Status parse_json_line(std::string_view line, JsonLine& out, const CellStyle& style = {});

}  // namespace elastane
