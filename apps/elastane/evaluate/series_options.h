// Options that the verbs for series share: a table, its columns, and how its rows are split.
#pragma once

#include <string>

#include "command_line/options.h"
#include "elastane/forecast/fitter.h"

namespace elastane::app {

struct SeriesOptions {
  std::string input;
  ColumnNames columns;
  std::vector<std::string> future;    // observed columns that are known for the rows ahead
  std::vector<std::string> calendar;  // hour, weekday, month
  int horizon = 1;
  DataSplit split;
  double season = 0;  // in rows; 0: found in the data
  bool no_season = false, no_choice = false, ignore_time = false, lenient = false, no_guard = false;
  std::string time_format = "auto";
};

// --time-format, which `elastane run` has too
void add_time_format(command_line::Command& verb, std::string& format);
DateOrder date_order(const std::string& format);

void add_series_options(command_line::Command& verb, SeriesOptions& options);

// the rows of the table; reports on stderr what was recognised, and which rows were left out
Dataset read_series(const SeriesOptions& options);
// with what is known of the next options.horizon rows
Dataset with_future(const Dataset& data, const SeriesOptions& options);
FitOptions fit_options(const SeriesOptions& options, const Dataset& data);

}  // namespace elastane::app
