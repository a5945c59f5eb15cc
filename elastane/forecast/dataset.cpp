#include "elastane/forecast/dataset.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "elastane/forecast/channel_columns.h"

namespace elastane {
namespace {

Error misfit(const std::string& source, const std::string& what) { return Error{"[data] " + source + ": " + what}; }

// positions of named columns, appended to `chosen`
Status find_columns(const Table& table, const std::vector<std::string>& names, const std::string& source,
                    std::vector<std::size_t>& chosen) {
  for (const std::string& name : names) {
    const auto found = std::ranges::find(table.columns, name);
    if (found == table.columns.end()) {
      return misfit(source, "expected a column " + name + ", found " + comma_separated(table.columns));
    }
    chosen.push_back(static_cast<std::size_t>(found - table.columns.begin()));
  }
  return {};
}

// positions of the targets, then of the channels that are only observed
Result<std::vector<std::size_t>> choose_columns(const Table& table, const ColumnNames& columns,
                                                const std::string& source, std::size_t& targets) {
  std::vector<std::size_t> chosen, observed;
  if (const Status found = find_columns(table, columns.exogenous, source, observed); !found)
    return Error{found.error()};
  if (const Status found = find_columns(table, columns.targets, source, chosen); !found) return Error{found.error()};
  for (std::size_t i = 0; columns.targets.empty() && i < table.columns.size(); ++i) {
    if (std::ranges::find(observed, i) == observed.end()) chosen.push_back(i);
  }
  targets = chosen.size();
  if (targets == 0) return misfit(source, "expected a column to forecast, found none");
  chosen.insert(chosen.end(), observed.begin(), observed.end());
  std::vector<std::size_t> sorted = chosen;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    return misfit(source, "expected every column once, found " + table.columns[*twice] +
                              " twice; a target is observed anyway, so name it only once");
  }
  return chosen;
}

// ticks of the rows of one series, from their times
std::vector<std::uint64_t> ticks_of(const std::vector<double>& times, const TimeGrid& grid) {
  std::vector<std::uint64_t> ticks;
  for (const double t : times) {
    const auto tick = static_cast<std::uint64_t>(std::llround((t - grid.origin) / grid.step));
    // two rows with the same tick: the times are not quite even; rows keep their order
    ticks.push_back(ticks.empty() ? tick : std::max(tick, ticks.back() + 1));
  }
  return ticks;
}

// copies the chosen columns; the times of each series, increasing
std::vector<std::vector<double>> copy_rows(const Table& table, const std::vector<std::size_t>& chosen, Dataset& data) {
  std::vector<std::vector<double>> times(data.series.size());
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
  return times;
}

// the grid of the longest series serves all of them
void place_on_grid(const std::vector<std::vector<double>>& times, Dataset& data) {
  constexpr double kDay = 86400;
  const auto longest = std::ranges::max_element(times, {}, &std::vector<double>::size);
  data.grid.step = usual_time_step(*longest);
  if (!(data.grid.step > 0)) return;
  double earliest = longest->front();
  for (const auto& t : times) earliest = t.empty() ? earliest : std::min(earliest, t.front());
  // seasons start at midnight, wherever the rows start
  data.grid.origin = std::floor(earliest / kDay) * kDay;
  if (data.grid.step >= kDay / 2 || earliest < kDay * 366) data.grid.origin = earliest;
  for (std::size_t i = 0; i < times.size(); ++i) data.series[i].ticks = ticks_of(times[i], data.grid);
}

}  // namespace

std::size_t Dataset::rows() const {
  std::size_t sum = 0;
  for (const Series& s : series) sum += s.rows();
  return sum;
}

double usual_time_step(std::span<const double> times) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
  if (steps.empty()) return 0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

Result<Dataset> make_dataset(const Table& table, const ColumnNames& columns, const std::string& source) {
  Dataset data;
  const auto chosen = choose_columns(table, columns, source, data.targets);
  if (!chosen) return Error{chosen.error()};
  for (const std::size_t c : *chosen) data.names.push_back(table.columns[c]);
  data.series.resize(std::max<std::size_t>(1, table.series.size()));
  for (std::size_t i = 0; i < table.series.size(); ++i) data.series[i].id = table.series[i];
  place_on_grid(copy_rows(table, *chosen, data), data);
  return data;
}

std::string name_ahead(const std::string& name, int rows) { return name + "+" + std::to_string(rows); }

namespace {

// where the values of a channel come from: a channel of the data, some rows later
struct ChannelSource {
  std::string name;
  std::size_t channel;
  std::uint64_t later;
};

// the row with this tick, at or after `from`; rows() if there is none
std::size_t row_of_tick(const Series& s, std::size_t from, std::uint64_t tick) {
  const auto at = std::lower_bound(s.ticks.begin() + static_cast<std::ptrdiff_t>(from), s.ticks.end(), tick);
  return at != s.ticks.end() && *at == tick ? static_cast<std::size_t>(at - s.ticks.begin()) : s.rows();
}

Series copy_channels(const Series& s, const std::vector<ChannelSource>& sources) {
  Series copy{s.id, sources.size(), {}, s.ticks};
  copy.values.reserve(s.rows() * sources.size());
  for (std::size_t r = 0; r < s.rows(); ++r) {
    for (const ChannelSource& from : sources) {
      const std::size_t at = from.later == 0 ? r : row_of_tick(s, r, s.ticks[r] + from.later);
      copy.values.push_back(at < s.rows() ? s.row(at)[from.channel] : NAN);
    }
  }
  return copy;
}

}  // namespace

Result<Dataset> with_known_future(const Dataset& data, const std::vector<std::string>& names, int horizon) {
  const auto channel_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(data.names, name) - data.names.begin());
  };
  std::vector<ChannelSource> known;
  for (const std::string& name : names) {
    const std::size_t channel = channel_of(name);
    if (channel >= data.names.size() || channel < data.targets) {
      return Error{"[data] future: expected an observed column, found " + name + "; the columns are " +
                   comma_separated(data.names)};
    }
    known.push_back({name, channel, 0});
    for (int h = 1; h <= horizon; ++h) {
      const std::size_t given = channel_of(name_ahead(name, h));
      const bool is_given = given < data.names.size();
      known.push_back({name_ahead(name, h), is_given ? given : channel, is_given ? 0 : static_cast<std::uint64_t>(h)});
    }
  }
  std::vector<ChannelSource> all;
  for (std::size_t c = 0; c < data.names.size(); ++c) {
    if (std::ranges::find(known, data.names[c], &ChannelSource::name) == known.end())
      all.push_back({data.names[c], c, 0});
  }
  all.insert(all.end(), known.begin(), known.end());
  Dataset result = data;
  result.known = known.size();
  result.names.clear();
  for (const ChannelSource& from : all) result.names.push_back(from.name);
  for (Series& s : result.series) s = copy_channels(s, all);
  return result;
}

Result<Dataset> make_dataset(std::span<const double> values, std::vector<std::string> names, std::size_t targets) {
  if (names.empty() || targets > names.size() || values.size() % names.size() != 0) {
    return Error{"[data] expected whole rows of " + std::to_string(names.size()) + " named channels, found " +
                 std::to_string(values.size()) + " values and " + std::to_string(targets) + " targets"};
  }
  Dataset data;
  data.targets = targets == 0 ? names.size() : targets;
  Series& series = data.series.emplace_back();
  series.channels = names.size();
  series.values.assign(values.begin(), values.end());
  for (std::size_t r = 0; r < values.size() / names.size(); ++r) series.ticks.push_back(r);
  data.names = std::move(names);
  return data;
}

std::size_t RowAmount::of(std::size_t rows) const {
  const double n = amount <= 1 ? amount * static_cast<double>(rows) : amount;
  return static_cast<std::size_t>(std::llround(std::fmin(n, static_cast<double>(rows))));
}

SplitEnds split_ends(const DataSplit& split, std::size_t rows) {
  SplitEnds ends{};
  ends.learn = split.learn.of(rows);
  ends.held_out = std::min(rows, ends.learn + split.held_out.of(rows));
  ends.test = std::min(rows, ends.held_out + split.test.of(rows));
  return ends;
}

}  // namespace elastane
