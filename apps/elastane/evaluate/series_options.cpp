#include "apps/elastane/evaluate/series_options.h"

#include <fmt/core.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "command_line/messages.h"
#include "elastane/io/number_text.h"

namespace elastane::app {
namespace {

constexpr const char* kAmount = "SHARE|ROWS";

std::string joined(std::span<const std::string> names) {
  constexpr std::size_t kShown = 8;
  std::string text = fmt::format("{}", fmt::join(names.first(std::min(kShown, names.size())), ", "));
  return names.size() > kShown ? text + fmt::format(" and {} more", names.size() - kShown) : text;
}

// how long it takes until it repeats
double calendar_seconds(const std::string& name) {
  constexpr double kDay = 86400, kWeek = 7 * kDay, kYear = 365.2425 * kDay;
  return name == "hour" ? kDay : name == "weekday" ? kWeek : kYear;
}

const char* time_name(const Table& table) {
  if (table.has_dates) return "dates";
  return table.time_unit == 1      ? "seconds since 1970"
         : table.time_unit == 1e-3 ? "milliseconds since 1970"
         : table.time_unit == 1e-6 ? "microseconds since 1970"
                                   : "nanoseconds since 1970";
}

// what was recognised, before any work is done
void show_first_look(const Table& table, const Dataset& data, const std::string& source) {
  const std::span<const std::string> names(data.names);
  std::size_t missing = 0;
  for (const Series& s : data.series) {
    missing += static_cast<std::size_t>(std::ranges::count_if(s.values, [](double x) { return !std::isfinite(x); }));
  }
  std::string text = fmt::format("{}: {} rows{}{}\n", source, data.rows(),
                                 data.series.size() > 1 ? fmt::format(" of {} series", data.series.size()) : "",
                                 table.style.decimal_comma ? ", with a decimal comma" : "");
  if (table.time.empty()) {
    text += "  times     none: rows are evenly spaced\n";
  } else {
    const auto [first, last] = std::ranges::minmax(table.time);
    text += fmt::format("  times     {}, {}, every {:g} s, {} to {}\n", table.time_column, time_name(table),
                        data.grid.step, date_text(first), date_text(last));
  }
  text += fmt::format("  forecast  {}\n", joined(names.first(data.targets)));
  if (data.targets < names.size()) text += fmt::format("  observe   {}\n", joined(names.subspan(data.targets)));
  text += fmt::format(
      "  missing   {:.2g} % of the values\n",
      100.0 * static_cast<double>(missing) / static_cast<double>(std::max<std::size_t>(1, data.rows() * names.size())));
  command_line::write_stderr(text);
}

// the columns to read: inputs known ahead are observed too, and may come with their values of later rows as NAME+1, …
ColumnNames with_future_columns(const Table& table, const SeriesOptions& o) {
  ColumnNames columns = o.columns;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(columns.exogenous, name) == columns.exogenous.end()) columns.exogenous.push_back(name);
  };
  for (const std::string& name : o.future) {
    add(name);
    for (const std::string& column : table.columns) {
      const bool is_ahead = column.starts_with(name + "+") && column.size() > name.size() + 1;
      if (is_ahead && column.find_first_not_of("0123456789", name.size() + 1) == column.npos) add(column);
    }
  }
  return columns;
}

// If times are ignored, dates may be in either order. Standard input can be read only once.
Table read_ignoring_time(const SeriesOptions& o, TableOptions options) {
  if (!o.ignore_time) return read_table(o.input, options).value();
  if (options.style.order == DateOrder::unknown) options.style.order = DateOrder::day_first;
  Result<Table> table = read_table(o.input, options);
  if (!table && o.input != "-") {
    options.style.order = DateOrder::month_first;
    if (Result<Table> other = read_table(o.input, options)) table = std::move(other);
  }
  Table read = std::move(table).value();
  read.time.clear();
  return read;
}

}  // namespace

void add_series_options(command_line::Command& verb, SeriesOptions& o) {
  verb.option("--target", o.columns.targets, "columns to forecast (default: all)");
  verb.option("--exogenous", o.columns.exogenous, "columns to use, but not to forecast");
  verb.option("--future", o.future,
              "columns to use whose values are known for the rows ahead, such as holidays or a weather forecast; later "
              "rows of `elastane run` carry them as NAME+1, NAME+2, …");
  verb.option("--calendar", o.calendar, "let forecasts depend on the time of day, the weekday, the time of year")
      .one_of({"hour", "weekday", "month"});
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
  verb.flag("--no-guard", o.no_guard, "learn from every row at once; do not hold values that cannot be explained");
  add_time_format(verb, o.time_format);
  verb.flag("--lenient", o.lenient, "treat text instead of a number as a missing value, not as an error");
}

void add_time_format(command_line::Command& verb, std::string& format) {
  verb.option("--time-format", format, "order of dates such as 03/04/2024; auto: as other dates of the table show")
      .one_of({"auto", "day_first", "month_first"});
}

DateOrder date_order(const std::string& format) {
  return format == "day_first"     ? DateOrder::day_first
         : format == "month_first" ? DateOrder::month_first
                                   : DateOrder::unknown;
}

Dataset read_series(const SeriesOptions& o) {
  TableOptions options{.strict = !o.lenient, .style = {.order = date_order(o.time_format)}};
  // if the columns to forecast are named, others may hold anything
  if (!o.columns.targets.empty()) {
    options.needed = o.columns.targets;
    for (const auto* names : {&o.columns.exogenous, &o.future})
      options.needed.insert(options.needed.end(), names->begin(), names->end());
  }
  Table table = read_ignoring_time(o, options);
  Dataset data = make_dataset(table, with_future_columns(table, o), o.input).value();
  show_first_look(table, data, o.input == "-" ? "stdin" : o.input);
  if (data.left_out > 0) {
    command_line::print_stderr(
        "{}: left out {} row{} whose time is missing or not later than the row before; the first is row {}\n", o.input,
        data.left_out, data.left_out == 1 ? "" : "s", data.first_left_out);
  }
  if (table.unread + table.infinite > 0) {
    command_line::print_stderr("{}: {} values are not finite numbers and count as missing\n", o.input,
                               table.unread + table.infinite);
  }
  return data;
}

Dataset with_future(const Dataset& data, const SeriesOptions& o) {
  return o.future.empty() ? data : with_known_future(data, o.future, o.horizon).value();
}

FitOptions fit_options(const SeriesOptions& o, const Dataset& data) {
  FitOptions fit;
  fit.horizon = o.horizon;
  fit.split = o.split;
  fit.choose = !o.no_choice;
  fit.seasonless = o.no_season;
  fit.guard = !o.no_guard;
  if (o.season > 0) fit.periods = {o.season};
  for (const std::string& name : o.calendar) {
    const double rows = calendar_seconds(name) / data.grid.step;
    if (!(data.grid.step > 0)) throw std::runtime_error("[data] calendar: expected rows with times, found none");
    if (rows < 2) {
      throw std::runtime_error("[data] calendar " + name + ": expected rows more often than every " +
                               number_text(data.grid.step) + " s");
    }
    fit.calendar.push_back(rows);
  }
  return fit;
}

}  // namespace elastane::app
