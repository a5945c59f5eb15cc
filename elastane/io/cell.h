// Reads one cell of a table: a number, a time, nothing, or other text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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
// decimal point, whatever the locale.
TableCell read_cell(std::string_view text);

// Seconds since 1970 of a date and time in ISO 8601's extended form: 2024-05, 2024-05-01, 2024-05-01T12:30:00.25+02:00,
// or a space instead of the T. Without a zone it is UTC.
std::optional<double> parse_time(std::string_view text);

std::string_view trimmed(std::string_view text);            // without leading and trailing spaces and tabs
bool same_letters(std::string_view a, std::string_view b);  // ignoring the case of a to z

}  // namespace elastane
