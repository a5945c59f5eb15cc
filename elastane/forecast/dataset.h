// Series to fit and evaluate forecasters on: the chosen columns of a table, placed on an even grid of ticks.
//
//   const auto table = elastane::read_table("load.csv").value();
//   const auto data = elastane::make_dataset(table, {.targets = {"load"}, .exogenous = {"temperature"}}).value();
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/core/forecast/forecast_model.h"
#include "elastane/io/table.h"

namespace elastane {

// One series. A table with an id column holds one for every id.
struct Series {
  std::string id;
  std::size_t channels = 0;
  std::vector<double> values;        // [row][channel], NaN where missing
  std::vector<std::uint64_t> ticks;  // one per row, increasing

  std::size_t rows() const { return ticks.size(); }
  std::span<const double> row(std::size_t r) const { return {values.data() + r * channels, channels}; }
};

struct Dataset {
  std::vector<std::string> names;  // of the channels, targets first
  std::size_t targets = 0;
  std::size_t known = 0;  // channels at the end that are known ahead of time, with their values of later rows
  TimeGrid grid;
  std::vector<Series> series;
  std::size_t left_out = 0;        // rows without a time, or with one that is not later than the row before
  std::size_t first_left_out = 0;  // the first such row of the table, counted from 1

  std::size_t rows() const;
};

struct ColumnNames {
  std::vector<std::string> targets;    // to forecast; empty: all columns
  std::vector<std::string> exogenous;  // observed, not forecast
};

// Fails if a column does not exist or is named twice. Rows whose time is not later than that of the row before in their
// series are left out and counted. Messages name `source`.
Result<Dataset> make_dataset(const Table& table, const ColumnNames& columns = {}, const std::string& source = "table");

// One series from an array [row][channel] of evenly spaced rows. The first `targets` channels are forecast; 0: all.
Result<Dataset> make_dataset(std::span<const double> values, std::vector<std::string> names, std::size_t targets = 0);

// The same series with inputs that are known for the next `horizon` rows, such as a weather forecast or holidays. Each
// named channel moves to the end, followed by its values 1 … `horizon` rows later, as NAME+1, NAME+2, …: taken from channels
// of these names if there are any, else from later rows. Fails if a name is not that of an observed channel.
Result<Dataset> with_known_future(const Dataset& data, const std::vector<std::string>& names, int horizon);
// NAME+h
std::string name_ahead(const std::string& name, int rows);

// the usual distance between times: the median of their differences
double usual_time_step(std::span<const double> times);

// An amount of rows: up to 1 a share of the series, above 1 a number of rows.
struct RowAmount {
  double amount = 0;
  std::size_t of(std::size_t rows) const;
};

// How the rows of each series are used, one part after the other: to learn from, to choose settings by, to evaluate on.
struct DataSplit {
  RowAmount learn{0.7}, held_out{0.1}, test{1e18};  // test: by default all that is left
};
struct SplitEnds {
  std::size_t learn, held_out, test;  // one past the last row of each part
};
SplitEnds split_ends(const DataSplit& split, std::size_t rows);

}  // namespace elastane
