// Reads the rows of a table line by line: separated values or JSON.
//
//   elastane::RowReader reader(elastane::RowFormat::csv, "stdin");
//   elastane::TableRow row;
//   while (std::getline(std::cin, line)) {
//     const auto complete = reader.feed(line, row);
//     if (!complete) warn(complete.error());       // names the line; reading continues with the next one
//     else if (*complete) use(row.values);
//   }
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "elastane/core/base/owned.h"
#include "elastane/core/base/result.h"

namespace elastane {

struct RecordInProgress;  // row_reader.cpp
struct TableField;        // cell.h

enum class RowFormat : std::uint8_t { csv, jsonl };

// the order of a date such as 03/04/2024; dates that begin with a year or hold the name of a month need none
enum class DateOrder : std::uint8_t { unknown, day_first, month_first };

// how numbers and dates are written
struct CellStyle {
  bool decimal_comma = false;            // 1.234,5 instead of 1,234.5
  DateOrder order = DateOrder::unknown;  // of dates such as 03/04/2024
};

struct TableOptions {
  bool strict = true;  // refuse text instead of a number; false: it is missing, and counted
  // names of the columns that must hold numbers if reading is strict; others may hold text, which is missing, or be left
  // out of some rows. Empty: all
  std::vector<std::string> needed = {};
  CellStyle style = {};  // of numbers and dates; a decimal comma is recognised where fields
                         // are not separated by commas
};

inline constexpr std::size_t kLongestRow = 1 << 20;   // bytes; a file without line breaks must not fill the memory
inline constexpr std::size_t kLongestId = 256;        // bytes of the name of a series
inline constexpr std::size_t kMostColumns = 1 << 16;  // the most channels that a model may have

struct TableRow {
  std::vector<double> values;  // one per column; NaN where missing
  double time = 0;             // seconds; NaN if missing or if there is no time column
  std::string id;              // of the series; empty if there is no id column
  int infinite = 0;            // infinite values, which count as missing
  int unread = 0;              // texts instead of numbers, which count as missing
};

// Separated values start with a header, unless their first line holds only numbers; then the columns are c0, c1, … JSON
// lines are objects or lists of numbers. The keys of the first object are the columns; a key that is left out is missing.
//
// The time column is the first one called time, timestamp, date, datetime, ds or t, else the first column if its
// first value is a date. It holds dates (time_text.h), or numbers: seconds since 1970, or milli-, micro- or nanoseconds, by
// their size. Of two columns called date and time, the second is the time of day. The id column is called unique_id.
class RowReader {
 public:
  RowReader(RowFormat format, std::string source, const TableOptions& options = {});

  // The next line, without its newline. True: `row` holds a row. False: not yet, because the line is a header or blank, or
  // its record continues in the next line. An error names the line and affects that record only; but if the header is
  // refused, no row can be read.
  Result<bool> feed(std::string_view line, TableRow& row);
  Status finish() const;  // after the last line; fails if a record is not complete

  // known from the first row on; without time and id
  const std::vector<std::string>& columns() const { return columns_; }
  const std::string& time_column() const { return time_column_; }  // "" if there is none
  const std::string& id_column() const { return id_column_; }
  bool has_dates() const { return roles_.dates.value_or(false); }         // times were dates, not numbers
  double time_unit() const { return roles_.unit > 0 ? roles_.unit : 1; }  // seconds per unit of numeric times
  const CellStyle& style() const { return options_.style; }
  bool is_named() const { return named_; }          // columns have names, not c0, c1, …
  const Status& header() const { return header_; }  // fails if the header was refused
  std::uint64_t line() const { return line_; }      // number of the last line; the first is 1
  bool is_inside_record() const;

 private:
  // the fields that are not values
  struct Roles {
    std::optional<std::size_t> time, id;
    std::optional<std::size_t> clock;  // the time of day, in a column of its own
    double unit = 0;                   // seconds per unit of numeric times; 0: not known yet
    std::optional<bool> dates;         // the time column holds dates, not numbers
    bool complete = false;             // a row was read, so it is decided whether the first column is a time
  };

  Result<bool> feed_csv(std::string_view line, TableRow& row);
  Result<bool> feed_json(std::string_view line, TableRow& row);
  Status read_header(std::span<const TableField> fields);
  bool shows_decimal_comma(std::span<const TableField> fields) const;
  Status order_by_key();
  void name_columns(std::vector<std::string> names, bool named);
  Result<bool> take_first(std::vector<std::string> names, bool named, std::span<const TableField> fields,
                          TableRow& row);
  Result<bool> take(std::span<const TableField> fields, TableRow& row);
  Status take_id(const TableField& field, TableRow& row) const;
  Status take_time(const TableField& field, Roles& roles, TableRow& row) const;
  Status take_value(std::size_t column, const TableField& field, TableRow& row) const;
  Error refuse(const std::string& why) const;
  Error refuse(const std::string& column, const std::string& why) const;

  RowFormat format_;
  std::string source_;
  TableOptions options_;
  std::uint64_t line_ = 0, begin_ = 0;  // first line of the record
  Status header_;                       // why the header was refused

  std::vector<std::string> names_;  // of all fields
  bool named_ = false;
  std::vector<bool> needed_;  // must hold a number
  Roles roles_;
  std::vector<std::string> columns_;
  std::string time_column_, id_column_;

  char delimiter_ = ',';
  Owned<RecordInProgress> reading_;
  bool lists_ = false;  // JSON lines are lists
  std::unordered_map<std::string, std::size_t> position_;
};

}  // namespace elastane
