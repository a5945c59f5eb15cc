// What the verbs for series ask for alike: a table, its columns, and how its rows are split.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "lab/series/fit.h"

namespace elastane::app {

struct SeriesOptions {
  std::string input;
  series::ColumnNames columns;
  int horizon = 1;
  series::Split split;
  double season = 0;  // rows; 0: found in the data
  bool no_season = false, no_choice = false, ignore_time = false, lenient = false;
};

// `split`: with options for the shares of rows
void add_series_options(CLI::App& verb, SeriesOptions& options);

// the table's rows; says on stderr what was left out
series::Dataset read_series(const SeriesOptions& options);
series::FitOptions fit_options(const SeriesOptions& options);

}  // namespace elastane::app
