// One cell of a table as text: a number, a time, nothing, or something else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace elastane {

enum class TableCellKind : std::uint8_t { missing, number, infinite, time, text };

struct TableCell {
  TableCellKind kind = TableCellKind::missing;
  double value = 0;  // of a number; of a time in seconds; NaN if missing
};

// a cell with the text it was read from
struct TableField {
  TableCell cell;
  std::string_view text;
};

// Spaces around it do not count. Empty, NA, N/A, NaN, null, None and ? are missing, in any case of letters; numbers
// have a decimal point, whatever the locale.
TableCell read_cell(std::string_view text);

// Seconds since 1970 of a date and time in ISO 8601's extended form: 2024-05, 2024-05-01, 2024-05-01T12:30:00.25+02:00,
// or a space for the T. What names no zone is UTC.
std::optional<double> parse_time(std::string_view text);

std::string_view trimmed(std::string_view text);            // without spaces and tabs around it
bool same_letters(std::string_view a, std::string_view b);  // but for the case of a to z

}  // namespace elastane
