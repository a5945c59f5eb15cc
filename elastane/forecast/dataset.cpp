#include "lab/series/series.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace elastane::series {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::size_t find_column(const Table& table, const std::string& name, const std::string& source) {
  const auto found = std::ranges::find(table.columns, name);
  if (found == table.columns.end()) {
    throw std::runtime_error("[data] " + source + ": expected a column " + name + ", found " + joined(table.columns));
  }
  return static_cast<std::size_t>(found - table.columns.begin());
}

// indices of what is forecast, then of what is only seen
std::vector<std::size_t> choose(const Table& table, const ColumnNames& columns, const std::string& source,
                                std::size_t& targets) {
  std::vector<std::size_t> chosen, seen;
  for (const std::string& name : columns.exogenous) seen.push_back(find_column(table, name, source));
  for (const std::string& name : columns.targets) chosen.push_back(find_column(table, name, source));
  for (std::size_t i = 0; columns.targets.empty() && i < table.columns.size(); ++i) {
    if (std::ranges::find(seen, i) == seen.end()) chosen.push_back(i);
  }
  targets = chosen.size();
  if (targets == 0) throw std::runtime_error("[data] " + source + ": expected a column to forecast, found none");
  chosen.insert(chosen.end(), seen.begin(), seen.end());
  std::vector<std::size_t> sorted = chosen;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    throw std::runtime_error("[data] " + source + ": expected every column once, found " + table.columns[*twice] +
                             " twice; a target is seen anyway");
  }
  return chosen;
}

// ticks of the rows of one series, from their times
std::vector<std::uint64_t> place(const std::vector<double>& times, const TimeGrid& grid) {
  std::vector<std::uint64_t> ticks;
  for (const double t : times) {
    const auto tick = static_cast<std::uint64_t>(std::llround((t - grid.origin) / grid.step));
    // two rows of one tick: the grid is not as even as it seemed; rows keep their order
    ticks.push_back(ticks.empty() ? tick : std::max(tick, ticks.back() + 1));
  }
  return ticks;
}

}  // namespace

std::size_t Dataset::rows() const {
  std::size_t sum = 0;
  for (const Series& s : series) sum += s.rows();
  return sum;
}

double usual_step(std::span<const double> times) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
  if (steps.empty()) return 0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

Dataset make_dataset(const Table& table, const ColumnNames& columns, const std::string& source) {
  Dataset data;
  const std::vector<std::size_t> chosen = choose(table, columns, source, data.targets);
  for (const std::size_t c : chosen) data.names.push_back(table.columns[c]);
  data.series.resize(std::max<std::size_t>(1, table.series.size()));
  std::vector<std::vector<double>> times(data.series.size());
  for (std::size_t i = 0; i < table.series.size(); ++i) data.series[i].id = table.series[i];
  for (std::size_t r = 0; r < table.rows; ++r) {
    const std::size_t which = table.series_of.empty() ? 0 : static_cast<std::size_t>(table.series_of[r]);
    Series& s = data.series[which];
    if (!table.time.empty()) {
      std::vector<double>& before = times[which];
      if (!(table.time[r] > (before.empty() ? -INFINITY : before.back()))) {
        if (data.left_out++ == 0) data.first_left_out = r + 1;
        continue;
      }
      before.push_back(table.time[r]);
    }
    for (const std::size_t c : chosen) s.values.push_back(table.row(r)[c]);
    s.ticks.push_back(s.ticks.size());
  }
  for (Series& s : data.series) s.channels = chosen.size();

  // the grid of the longest series serves all
  const auto longest = std::ranges::max_element(times, {}, &std::vector<double>::size);
  data.grid.step = usual_step(*longest);
  if (!(data.grid.step > 0)) return data;
  // seasons begin at midnight, wherever the rows begin
  double earliest = longest->front();
  for (const auto& t : times) earliest = t.empty() ? earliest : std::min(earliest, t.front());
  data.grid.origin = std::floor(earliest / 86400) * 86400;
  if (data.grid.step >= 86400 / 2 || earliest < 86400 * 366) data.grid.origin = earliest;
  for (std::size_t i = 0; i < times.size(); ++i) data.series[i].ticks = place(times[i], data.grid);
  return data;
}

std::size_t Part::of(std::size_t rows) const {
  const double n = amount <= 1 ? amount * static_cast<double>(rows) : amount;
  return static_cast<std::size_t>(std::llround(std::fmin(n, static_cast<double>(rows))));
}

Ends ends_of(const Split& split, std::size_t rows) {
  Ends ends{};
  ends.learn = split.learn.of(rows);
  ends.held_out = std::min(rows, ends.learn + split.held_out.of(rows));
  ends.test = std::min(rows, ends.held_out + split.test.of(rows));
  return ends;
}

}  // namespace elastane::series
