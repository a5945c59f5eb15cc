#include "apps/elastane/evaluate/series_options.h"

#include <fmt/core.h>

#include <stdexcept>

namespace elastane::app {
namespace {

constexpr const char* kAmount = "SHARE|ROWS";

}  // namespace

void add_series_options(command_line::Command& verb, SeriesOptions& o) {
  verb.option("--target", o.columns.targets, "columns to forecast (default: all)");
  verb.option("--exogenous", o.columns.exogenous, "columns to use, but not to forecast");
  verb.option("--learn", o.split.learn.amount, "rows to learn from, at the start; up to 1: a share of all rows")
      .above(0)
      .type(kAmount);
  verb.option("--held-out", o.split.held_out.amount, "rows after them, to choose settings and calibrate")
      .above(0)
      .type(kAmount);
  verb.option("--season", o.season, "length of the season in rows (default: found from the times or the values)")
      .range(2, 1e9)
      .hide_default();
  verb.flag("--no-season", o.no_season, "the data have no season");
  verb.flag("--no-choice", o.no_choice, "use the default settings; try no others on the held-out rows");
  verb.flag("--ignore-time", o.ignore_time, "treat rows as evenly spaced, whatever their times");
  verb.flag("--lenient", o.lenient, "treat text instead of a number as a missing value, not as an error");
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
