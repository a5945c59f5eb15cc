// Series to learn from and to be judged by: rows of chosen columns, placed on an even grid of ticks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/forecast/forecast_model.h"
#include "elastane/io/table.h"

namespace elastane::series {

// one series; in long form there is one for every id
struct Series {
  std::string id;
  std::size_t channels = 0;
  std::vector<double> values;        // [row][channel], NaN where missing
  std::vector<std::uint64_t> ticks;  // one a row, increasing

  std::size_t rows() const { return ticks.size(); }
  std::span<const double> row(std::size_t r) const { return {values.data() + r * channels, channels}; }
};

struct Dataset {
  std::vector<std::string> names;  // of the channels, targets first
  std::size_t targets = 0;
  TimeGrid grid;
  std::vector<Series> series;
  std::size_t left_out = 0;        // rows whose time was missing or not later than the one before
  std::size_t first_left_out = 0;  // the table's first such row, counted from 1

  std::size_t rows() const;
};

struct ColumnNames {
  std::vector<std::string> targets;    // none: all columns
  std::vector<std::string> exogenous;  // seen, not forecast
};

// Throws, with a message for the user, if a column is not there. A row whose time is not later than the one before in
// its series is left out.
Dataset make_dataset(const Table& table, const ColumnNames& columns, const std::string& source);

// the usual distance between times: their median difference
double usual_step(std::span<const double> times);

// A part of a series: a share of its rows, or so many of them
struct Part {
  double amount = 0;
  std::size_t of(std::size_t rows) const;
};

struct Split {
  Part learn{0.7}, held_out{0.1}, test{1e18};  // one after the other; test: what is left
};
struct Ends {
  std::size_t learn, held_out, test;  // one past their last rows
};
Ends ends_of(const Split& split, std::size_t rows);

}  // namespace elastane::series
