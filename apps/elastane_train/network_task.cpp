#include "apps/elastane_train/network_task.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "elastane/core/base/checksum.h"
#include "elastane/forecast/dataset.h"

namespace elastane::app {
namespace {

struct Options {
  lab::TrainingOptions training;
  std::string input;
  std::vector<std::string> targets;    // none: all columns
  std::vector<std::string> exogenous;  // inputs that are not forecast
  int horizon = 1;
  double learn = 0.7, held_out = 0.15;  // shares of the rows; what is left is for tests
};

constexpr std::int64_t kContext = 256;  // rows before the held-out ones, seen but not judged

// mean and deviation of what is there in the rows to learn from
struct Scaling {
  double mean = 0, deviation = 1;
};
Scaling scaling_of(const Dataset& data, const std::vector<SplitEnds>& ends, std::size_t column) {
  double n = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < data.series.size(); ++i) {
    for (std::size_t r = 0; r < ends[i].learn; ++r) {
      const double x = data.series[i].row(r)[column];
      if (!std::isfinite(x)) continue;
      const double delta = x - mean;
      mean += delta / ++n;
      square += delta * (x - mean);
    }
  }
  const double deviation = n > 1 ? std::sqrt(square / n) : 0;
  return {mean, deviation > 1e-12 * std::max(1.0, std::fabs(mean)) ? deviation : 1.0};
}

// rows [first, last), judged from `judged` on; a target beyond `last` is missing
train::Series cut(const Series& s, std::size_t first, std::size_t last, std::size_t judged, std::size_t targets,
                  int horizon) {
  const auto rows = static_cast<std::int64_t>(last - first), inputs = static_cast<std::int64_t>(s.channels);
  const std::int64_t outputs = static_cast<std::int64_t>(targets) * horizon;
  const at::Tensor x = at::empty({rows, inputs}), target = at::full({rows, outputs}, NAN);
  for (std::size_t t = first; t < last; ++t) {
    const auto row = static_cast<std::int64_t>(t - first);
    std::ranges::copy(s.row(t), x.data_ptr<float>() + row * inputs);
    float* to = target.data_ptr<float>() + row * outputs;
    for (std::size_t h = 1; t >= judged && h <= static_cast<std::size_t>(horizon) && t + h < last; ++h) {
      std::ranges::copy(s.row(t + h).first(targets), to + (h - 1) * targets);
    }
  }
  return {x, target, {}};
}

Table read_ordered(const std::string& input) {
  Table table = read_table(input).value();
  if (const auto row = first_row_not_later(table)) {
    throw std::runtime_error(
        fmt::format("[data] {}: expected times that increase, found one that does not in row {}; sort the rows by {}",
                    input, *row + 1, table.time_column));
  }
  return table;
}

std::vector<SplitEnds> split(const Dataset& data, const Options& options) {
  if (options.learn + options.held_out > 1 + 1e-9) {
    throw std::runtime_error(
        fmt::format("[data] expected shares of at most 1 together, found {} to learn from and {} held out",
                    options.learn, options.held_out));
  }
  std::vector<SplitEnds> ends;
  std::size_t learn = 0;
  for (const Series& s : data.series) {
    ends.push_back(split_ends({.learn = {options.learn}, .held_out = {options.held_out}}, s.rows()));
    learn += ends.back().learn;
  }
  if (learn < 2) {
    throw std::runtime_error(
        fmt::format("[data] {}: expected rows to learn from, found {}", options.input, data.rows()));
  }
  return ends;
}

// every column in units of what is learned from; the record of it
nlohmann::ordered_json standardise(Dataset& data, const std::vector<SplitEnds>& ends, int horizon) {
  nlohmann::ordered_json means = nlohmann::ordered_json::array(), deviations = means;
  for (std::size_t c = 0; c < data.names.size(); ++c) {
    const Scaling scaling = scaling_of(data, ends, c);
    for (Series& s : data.series) {
      for (std::size_t at = c; at < s.values.size(); at += s.channels)
        s.values[at] = (s.values[at] - scaling.mean) / scaling.deviation;
    }
    means.push_back(scaling.mean);
    deviations.push_back(scaling.deviation);
  }
  return {{"columns", data.names},
          {"targets", data.targets},
          {"horizon", horizon},
          {"mean", means},
          {"deviation", deviations}};
}

void set_defaults(const Dataset& data, int horizon, lab::TrainingTask& task) {
  task.config.inputs = static_cast<int>(data.names.size());
  task.config.outputs = static_cast<int>(data.targets) * horizon;
  task.config.width = 32;
  for (const Series& s : data.series) {
    task.config.mask_input |= std::ranges::any_of(s.values, [](double v) { return !std::isfinite(v); });
  }
  task.config.blocks.assign(2, {.kind = MambaConfig{.state = 16}});
  task.options.sampler = {.batch = 32, .length = 96, .carry = 8, .warm_up = 32};
  task.options.schedule = {.steps = 1000, .warm_up = 50};
  task.options.rate = 3e-3;
  task.options.patience = 6;
}

lab::TrainingTask task_of(const Options& options) {
  const Table table = read_ordered(options.input);
  Dataset data = make_dataset(table, {options.targets, options.exogenous}, options.input).value();
  const std::vector<SplitEnds> ends = split(data, options);
  lab::TrainingTask task{.name = "network"};
  task.metadata["series"] = standardise(data, ends, options.horizon).dump();
  set_defaults(data, options.horizon, task);
  for (std::size_t i = 0; i < data.series.size(); ++i) {
    const auto [learn, held_out, test] = ends[i];
    const Series& s = data.series[i];
    if (learn >= 2) task.learn.push_back(cut(s, 0, learn, 0, data.targets, options.horizon));
    if (held_out - learn < 2) continue;
    const std::size_t before = learn - std::min<std::size_t>(learn, kContext);
    task.held_out.push_back(cut(s, before, held_out, learn, data.targets, options.horizon));
  }
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

}  // namespace

void add_network_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<Options>();
  command_line::Command& task =
      commands.add("network", "A network that forecasts columns of a table: .csv, .tsv, .npy, .jsonl");
  lab::declare(task, options->training);
  task.option("--input", options->input, "the table").required().type("FILE");
  task.option("--target", options->targets, "columns to forecast (default: all)");
  task.option("--exogenous", options->exogenous, "columns that are inputs only");
  task.option("--horizon", options->horizon, "rows ahead").range(1, 10'000);
  task.option("--learn", options->learn, "share of the rows to learn from, the first ones").range(0.01, 0.99);
  task.option("--held-out", options->held_out, "share of the rows after them, for validation").range(0.001, 0.99);
  task.action([=, &commands] { return commands.run(options->training, [=] { return task_of(*options); }); });
}

}  // namespace elastane::app
