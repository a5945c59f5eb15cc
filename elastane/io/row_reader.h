// Rows of a table, one line at a time: separated values, or JSON.
//
//   elastane::RowReader reader(elastane::RowFormat::csv, "stdin");
//   elastane::TableRow row;
//   while (std::getline(std::cin, line)) {
//     const auto taken = reader.feed(line, row);
//     if (!taken) warn(taken.error());          // names the line; the next one is read as if nothing had been
//     else if (*taken) use(row.values);
//   }
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/io/csv.h"
#include "elastane/io/jsonl.h"

namespace elastane {

enum class RowFormat : std::uint8_t { csv, jsonl };

struct TableOptions {
  bool strict = true;  // refuse text where a number belongs; else it is missing, and counted
  // names of columns that must hold numbers if reading is strict; others may hold text, which is missing, or come
  // and go. None: all
  std::vector<std::string> needed = {};
};

inline constexpr std::size_t kLongestRow = 1 << 20;   // bytes; a file without lines must not fill memory
inline constexpr std::size_t kMostColumns = 1 << 16;  // as many as a model may have channels

struct TableRow {
  std::vector<double> values;  // one a column; NaN where missing
  double time = 0;             // seconds; NaN if missing or if there is no time column
  std::string id;              // of the series; empty if there is no id column
  int infinite = 0;            // values that were infinite, and count as missing
  int unread = 0;              // values that were text, and count as missing
};

// Separated values begin with a header, unless their first line has numbers only; then columns are c0, c1, … JSON lines
// are objects, where the keys of the first are the columns and a key that is left out is missing, or lists of numbers.
//
// The time column is the first that is called time, timestamp, date, datetime, ds or t, else the first column if its
// first value is a date. It holds numbers (seconds), or dates in ISO 8601. The id column is called unique_id.
class RowReader {
 public:
  RowReader(RowFormat format, std::string source, const TableOptions& options = {});

  // The next line, without its newline. True: `row` holds a row. False: none yet; the line was a header or blank, or
  // its record goes on in the next. An error names the line and costs that record, no other; but a header that is
  // refused leaves nothing to read rows by.
  Result<bool> feed(std::string_view line, TableRow& row);
  Status finish() const;  // after the last line: was a record left unfinished?

  // known from the first row on; without time and id
  const std::vector<std::string>& columns() const { return columns_; }
  const std::string& time_column() const { return time_column_; }  // "" if there is none
  const std::string& id_column() const { return id_column_; }
  bool has_dates() const { return roles_.dates.value_or(false); }  // times were dates, not numbers
  bool is_named() const { return named_; }                         // columns have names of their own, not c0, c1, …
  const Status& header() const { return header_; }                 // why nothing can be read any more
  std::uint64_t line() const { return line_; }                     // that was fed last; the first is 1
  bool is_inside_record() const { return record_.is_open(); }

 private:
  // which fields are no values
  struct Roles {
    std::optional<std::size_t> time, id;
    std::optional<bool> dates;  // the time column holds dates, not numbers
    bool complete = false;      // a row was taken: the first column is a time, or never will be
  };

  Result<bool> feed_csv(std::string_view line, TableRow& row);
  Result<bool> feed_json(std::string_view line, TableRow& row);
  Status read_header(std::span<const TableField> fields);
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
  std::uint64_t line_ = 0, begin_ = 0;  // where the record began
  Status header_;                       // why it was refused

  std::vector<std::string> names_;  // of all fields
  bool named_ = false;
  std::vector<bool> needed_;  // must hold a number
  Roles roles_;
  std::vector<std::string> columns_;
  std::string time_column_, id_column_;

  char delimiter_ = ',';
  CsvRecord record_;
  JsonLine json_;
  bool lists_ = false;  // JSON lines are lists
  std::unordered_map<std::string, std::size_t> position_;
  std::vector<TableField> ordered_;
};

}  // namespace elastane
