#include "apps/elastane/evaluate/series_options.h"

#include <fmt/core.h>

#include <stdexcept>

namespace elastane::app {
namespace {

constexpr const char* kAmount = "SHARE|ROWS";

}  // namespace

void add_series_options(CLI::App& verb, SeriesOptions& o) {
  verb.add_option("--input", o.input, "table: .csv, .tsv, .npy or .jsonl; a column unique_id makes one series per id")
      ->required()
      ->type_name("FILE");
  verb.add_option("--target", o.columns.targets, "columns to forecast (default: all)")->delimiter(',');
  verb.add_option("--exogenous", o.columns.exogenous, "columns to use, but not to forecast")->delimiter(',');
  verb.add_option("--learn", o.split.learn.amount, "rows to learn from, at the start; up to 1: a share of all rows")
      ->check(CLI::PositiveNumber)
      ->type_name(kAmount)
      ->capture_default_str();
  verb.add_option("--held-out", o.split.held_out.amount, "rows after them, to choose settings and calibrate")
      ->check(CLI::PositiveNumber)
      ->type_name(kAmount)
      ->capture_default_str();
  verb.add_option("--season", o.season, "length of the season in rows (default: found from the times or the values)")
      ->check(CLI::Range(2.0, 1e9));
  verb.add_flag("--no-season", o.no_season, "the data have no season");
  verb.add_flag("--no-choice", o.no_choice, "use the default settings; try no others on the held-out rows");
  verb.add_flag("--ignore-time", o.ignore_time, "treat rows as evenly spaced, whatever their times");
  verb.add_flag("--lenient", o.lenient, "treat text instead of a number as a missing value, not as an error");
}

Dataset read_series(const SeriesOptions& o) {
  Table table = read_table(o.input, {.strict = !o.lenient}).value();
  if (o.ignore_time) table.time.clear();
  Dataset data = make_dataset(table, o.columns, o.input).value();
  if (data.left_out > 0) {
    fmt::print(stderr,
               "{}: left out {} row{} whose time is missing or not later than the row before; the first is row {}\n",
               o.input, data.left_out, data.left_out == 1 ? "" : "s", data.first_left_out);
  }
  if (table.unread + table.infinite > 0) {
    fmt::print(stderr, "{}: {} values are not finite numbers and count as missing\n", o.input,
               table.unread + table.infinite);
  }
  return data;
}

FitOptions fit_options(const SeriesOptions& o) {
  FitOptions fit;
  fit.horizon = o.horizon;
  fit.split = o.split;
  fit.choose = !o.no_choice;
  fit.seasonless = o.no_season;
  if (o.season > 0) fit.periods = {o.season};
  return fit;
}

}  // namespace elastane::app
