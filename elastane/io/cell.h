// Reads one cell of a table: a number, a time, nothing, or other text.
#pragma once

#include <cstdint>
#include <string_view>

#include "elastane/io/row_reader.h"
#include "elastane/io/time_text.h"

namespace elastane {

enum class TableCellKind : std::uint8_t { missing, number, infinite, time, text };

struct TableCell {
  TableCellKind kind = TableCellKind::missing;
  double value = 0;  // a number, or a time in seconds; NaN if missing
};

// a cell and its text
struct TableField {
  TableCell cell;
  std::string_view text;
};

// Ignores spaces around the text. Empty, NA, N/A, NaN, null, None and ? are missing, in upper or lower case. Numbers have a
// decimal point, whatever the locale, unless the style says otherwise; thousands may be separated. Times: time_text.h.
TableCell read_cell(std::string_view text, const CellStyle& style = {});

std::string_view trimmed(std::string_view text);            // without leading and trailing spaces and tabs
bool same_letters(std::string_view a, std::string_view b);  // ignoring the case of a to z

}  // namespace elastane
