#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "apps/elastane_train/task.h"
#include "elastane/core/base/checksum.h"
#include "elastane/io/table.h"

namespace elastane::app {
namespace {

constexpr std::int64_t kContext = 256;  // rows before the held-out ones, seen but not judged

struct Columns {
  std::vector<std::size_t> index;  // of what the model sees: targets first
  std::size_t targets;
};

std::size_t find_column(const Table& table, const std::string& name, const std::string& source) {
  const auto found = std::ranges::find(table.columns, name);
  if (found == table.columns.end()) {
    throw std::runtime_error(
        fmt::format("[data] {}: expected a column {}, found {}", source, name, fmt::join(table.columns, ", ")));
  }
  return static_cast<std::size_t>(found - table.columns.begin());
}

Columns choose(const Table& table, const SeriesOptions& options) {
  Columns columns;
  for (const std::string& name : options.targets) columns.index.push_back(find_column(table, name, options.input));
  columns.targets = columns.index.size();
  for (const std::string& name : options.exogenous) columns.index.push_back(find_column(table, name, options.input));
  if (options.targets.empty()) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (std::ranges::find(columns.index, i) == columns.index.end()) {
        columns.index.insert(columns.index.begin() + static_cast<std::ptrdiff_t>(columns.targets++), i);
      }
    }
  }
  if (columns.targets == 0)
    throw std::runtime_error(fmt::format("[data] {}: expected a column to forecast", options.input));
  return columns;
}

// mean and deviation of what is there in the rows to learn from
struct Scaling {
  double mean = 0, deviation = 1;
};
Scaling scaling_of(const std::vector<std::vector<double>>& rows, std::size_t column) {
  double n = 0, mean = 0, square = 0;
  for (const auto& row : rows) {
    if (!std::isfinite(row[column])) continue;
    const double delta = row[column] - mean;
    mean += delta / ++n;
    square += delta * (row[column] - mean);
  }
  const double deviation = n > 1 ? std::sqrt(square / n) : 0;
  return {mean, deviation > 1e-12 * std::max(1.0, std::fabs(mean)) ? deviation : 1.0};
}

using RowsOf = std::vector<std::vector<double>>;  // [row][column of the model]

// rows [first, last), judged from `judged` on; a target beyond `last` is missing
train::Series cut(const RowsOf& rows, std::int64_t first, std::int64_t last, std::int64_t judged, std::size_t targets,
                  int horizon) {
  const auto inputs = static_cast<std::int64_t>(rows.front().size());
  const std::int64_t outputs = static_cast<std::int64_t>(targets) * horizon;
  const at::Tensor x = at::empty({last - first, inputs}), target = at::full({last - first, outputs}, NAN);
  for (std::int64_t t = first; t < last; ++t) {
    for (std::int64_t i = 0; i < inputs; ++i)
      x.data_ptr<float>()[(t - first) * inputs + i] = static_cast<float>(rows[t][i]);
    if (t < judged) continue;
    float* row = target.data_ptr<float>() + (t - first) * outputs;
    for (int h = 1; h <= horizon && t + h < last; ++h) {
      for (std::size_t i = 0; i < targets; ++i) row[(h - 1) * targets + i] = static_cast<float>(rows[t + h][i]);
    }
  }
  return {x, target, {}};
}

}  // namespace

Task series_task(const SeriesOptions& options) {
  if (options.learn + options.held_out > 1 + 1e-9) {
    throw std::runtime_error(
        fmt::format("[data] expected shares of at most 1 together, found {} to learn from and {} held "
                    "out",
                    options.learn, options.held_out));
  }
  const Table table = read_table(options.input).value();
  if (const auto row = first_row_not_later(table)) {
    throw std::runtime_error(
        fmt::format("[data] {}: expected times that increase, found one that does not in row {}; sort "
                    "the rows by {}",
                    options.input, *row + 1, table.time_column));
  }
  const Columns columns = choose(table, options);

  // rows of each series, in their order
  std::vector<RowsOf> all(std::max<std::size_t>(table.series.size(), 1));
  for (std::size_t r = 0; r < table.rows; ++r) {
    std::vector<double> row;
    for (const std::size_t c : columns.index) row.push_back(table.row(r)[c]);
    all[table.series_of.empty() ? 0 : static_cast<std::size_t>(table.series_of[r])].push_back(std::move(row));
  }
  RowsOf learned;
  const auto ends = [&](const RowsOf& rows) {
    const auto n = static_cast<double>(rows.size());
    const std::int64_t learn = std::llround(n * options.learn);
    return std::pair(learn,
                     std::min<std::int64_t>(std::llround(n * (options.learn + options.held_out)), std::ssize(rows)));
  };
  for (const RowsOf& rows : all) learned.insert(learned.end(), rows.begin(), rows.begin() + ends(rows).first);
  if (learned.size() < 2) {
    throw std::runtime_error(
        fmt::format("[data] {}: expected rows to learn from, found {}", options.input, table.rows));
  }

  nlohmann::ordered_json names = nlohmann::ordered_json::array(), means = names, deviations = names;
  for (std::size_t i = 0; i < columns.index.size(); ++i) {
    const Scaling s = scaling_of(learned, i);
    for (RowsOf& rows : all) {
      for (auto& row : rows) row[i] = (row[i] - s.mean) / s.deviation;
    }
    names.push_back(table.columns[columns.index[i]]);
    means.push_back(s.mean);
    deviations.push_back(s.deviation);
  }

  Task task{.name = "series"};
  task.config.inputs = static_cast<int>(columns.index.size());
  task.config.outputs = static_cast<int>(columns.targets) * options.horizon;
  task.config.width = 32;
  for (const RowsOf& rows : all) {
    for (const auto& row : rows) {
      task.config.mask_input |= std::ranges::any_of(row, [](double v) { return !std::isfinite(v); });
    }
  }
  task.config.blocks.assign(2, {.kind = MambaConfig{.state = 16}});
  task.options.sampler = {.batch = 32, .length = 96, .carry = 8, .warm_up = 32};
  task.options.schedule = {.steps = 1000, .warm_up = 50};
  task.options.rate = 3e-3;
  task.options.patience = 6;
  for (const RowsOf& rows : all) {
    const auto [learn, held_out] = ends(rows);
    if (learn >= 2) task.learn.push_back(cut(rows, 0, learn, 0, columns.targets, options.horizon));
    const std::int64_t before = std::max<std::int64_t>(0, learn - kContext);
    if (held_out - learn >= 2) {
      task.held_out.push_back(cut(rows, before, held_out, learn, columns.targets, options.horizon));
    }
  }
  const nlohmann::ordered_json series = {{"columns", names},
                                         {"targets", columns.targets},
                                         {"horizon", options.horizon},
                                         {"mean", means},
                                         {"deviation", deviations}};
  task.metadata["series"] = series.dump();
  task.description = {{"input", options.input},
                      {"targets", options.targets},
                      {"exogenous", options.exogenous},
                      {"horizon", options.horizon},
                      {"learn", options.learn},
                      {"held_out", options.held_out},
                      {"rows", table.rows},
                      {"checksum", fmt::format("{:016x}", hash64(std::as_bytes(std::span(table.values))))}};
  return task;
}

}  // namespace elastane::app
