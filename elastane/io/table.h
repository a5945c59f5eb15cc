// Tables of numbers as time series come in them, read whole: separated values, NumPy arrays, JSON lines.
//
//   const auto table = elastane::read_table("weather.csv").value();
//   for (std::size_t r = 0; r < table.rows; ++r) use(table.row(r));
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/io/row_reader.h"

namespace elastane {

struct Table {
  std::vector<std::string> columns;  // without time and id
  std::size_t rows = 0;
  std::vector<double> values;  // [row][column], NaN where missing

  std::string time_column;  // "" if there is none
  std::vector<double>
      time;  // seconds, one a row, NaN where missing; dates count from 1970. Empty without a time column

  std::string id_column;            // "" if there is none, and all rows are one series
  std::vector<std::string> series;  // in the order of their first rows
  std::vector<int> series_of;       // one a row; rows of one series need not be neighbours

  std::size_t infinite = 0;  // values that were infinite, and count as missing
  std::size_t unread = 0;    // values that were text, and count as missing; none if reading was strict

  std::span<const double> row(std::size_t r) const { return {values.data() + r * columns.size(), columns.size()}; }
};

// by the file's extension: .csv, .tsv, .txt; .npy; .jsonl, .ndjson. What these hold: row_reader.h, npy.h
Result<Table> read_table(const std::string& path, const TableOptions& options = {});

// `source` is named in messages
Result<Table> parse_csv(std::string_view text, const std::string& source, const TableOptions& options = {});
Result<Table> parse_jsonl(std::string_view text, const std::string& source, const TableOptions& options = {});

// The first row whose time is not later than that of the row before it in its series, or is missing; none if there is
// no such row, or no time column.
std::optional<std::size_t> first_row_not_later(const Table& table);

}  // namespace elastane
