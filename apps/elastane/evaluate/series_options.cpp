#include "apps/elastane/evaluate/series_options.h"

#include <fmt/core.h>

#include <stdexcept>

namespace elastane::app {
namespace {

constexpr const char* kAmount = "SHARE|ROWS";

}  // namespace

void add_series_options(CLI::App& verb, SeriesOptions& o) {
  verb.add_option("--input", o.input, "the table: .csv, .tsv, .npy, .jsonl; a column unique_id makes it long form")
      ->required()
      ->type_name("FILE");
  verb.add_option("--target", o.columns.targets, "columns to forecast (default: all)")->delimiter(',');
  verb.add_option("--exogenous", o.columns.exogenous, "columns to see, not to forecast")->delimiter(',');
  verb.add_option("--learn", o.split.learn.amount, "rows to learn from, the first ones; up to 1: a share of them")
      ->check(CLI::PositiveNumber)
      ->type_name(kAmount)
      ->capture_default_str();
  verb.add_option("--held-out", o.split.held_out.amount, "rows after them, to choose and calibrate by")
      ->check(CLI::PositiveNumber)
      ->type_name(kAmount)
      ->capture_default_str();
  verb.add_option("--season", o.season, "rows of a season (default: from times, else from the values)")
      ->check(CLI::Range(2.0, 1e9));
  verb.add_flag("--no-season", o.no_season, "there is none");
  verb.add_flag("--no-choice", o.no_choice, "take defaults; try nothing on the held-out rows");
  verb.add_flag("--ignore-time", o.ignore_time, "rows are evenly spaced, whatever their times say");
  verb.add_flag("--lenient", o.lenient, "text in place of a number is a missing value, not an error");
}

series::Dataset read_series(const SeriesOptions& o) {
  Table table = read_table(o.input, {.strict = !o.lenient}).value();
  if (o.ignore_time) table.time.clear();
  series::Dataset data = series::make_dataset(table, o.columns, o.input);
  if (data.left_out > 0) {
    fmt::print(stderr,
               "{}: {} row{} left out, whose time is missing or not later than the one before; the first is row {}\n",
               o.input, data.left_out, data.left_out == 1 ? "" : "s", data.first_left_out);
  }
  if (table.unread + table.infinite > 0) {
    fmt::print(stderr, "{}: {} values are no finite numbers and count as missing\n", o.input,
               table.unread + table.infinite);
  }
  return data;
}

series::FitOptions fit_options(const SeriesOptions& o) {
  series::FitOptions fit;
  fit.horizon = o.horizon;
  fit.split = o.split;
  fit.choose = !o.no_choice;
  fit.seasonless = o.no_season;
  if (o.season > 0) fit.periods = {o.season};
  return fit;
}

}  // namespace elastane::app
