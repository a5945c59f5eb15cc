// Options that the verbs for series share: a table, its columns, and how its rows are split.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "elastane/forecast/fitter.h"

namespace elastane::app {

struct SeriesOptions {
  std::string input;
  ColumnNames columns;
  int horizon = 1;
  Split split;
  double season = 0;  // rows; 0: found in the data
  bool no_season = false, no_choice = false, ignore_time = false, lenient = false;
};

void add_series_options(CLI::App& verb, SeriesOptions& options);

// the rows of the table; reports on stderr which were left out
Dataset read_series(const SeriesOptions& options);
FitOptions fit_options(const SeriesOptions& options);

}  // namespace elastane::app
