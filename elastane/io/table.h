// Reads whole tables of numbers: separated values, NumPy arrays or JSON lines.
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
  // in seconds, one value per row, NaN where missing; dates count from 1970; empty without a time column
  std::vector<double> time;

  std::string id_column;            // "" if there is none; then all rows are one series
  std::vector<std::string> series;  // in the order of their first rows
  std::vector<int> series_of;       // one per row; rows of a series need not be adjacent

  CellStyle style;         // how its numbers and dates are written
  double time_unit = 1;    // seconds per unit of times that are numbers
  bool has_dates = false;  // times are dates

  std::size_t infinite = 0;  // infinite values, which count as missing
  std::size_t unread = 0;    // texts instead of numbers, which count as missing; 0 if reading is strict

  std::span<const double> row(std::size_t r) const { return {values.data() + r * columns.size(), columns.size()}; }
};

// By the extension of the file: .csv, .tsv, .txt; .npy; .jsonl, .ndjson; each also packed, as .gz. "-" is standard input.
// See row_reader.h and npy.h.
Result<Table> read_table(const std::string& path, const TableOptions& options = {});

// messages name `source`
Result<Table> parse_csv(std::string_view text, const std::string& source, const TableOptions& options = {});
Result<Table> parse_jsonl(std::string_view text, const std::string& source, const TableOptions& options = {});

// The first row whose time is missing or not later than that of the row before it in its series, if there is one.
std::optional<std::size_t> first_row_not_later(const Table& table);

}  // namespace elastane
