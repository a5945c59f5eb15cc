#include "lab/recall/memory_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "lab/benchmark/statistics.h"
#include "lab/recall/given_keys.h"
#include "lab/recall/memory_study.h"
#include "web/page.h"

namespace elastane::recall {
namespace {

// rows that differ in their seed alone, in the order in which they came
std::vector<std::vector<RecallRow>> grouped(const std::vector<RecallRow>& rows) {
  std::vector<std::vector<RecallRow>> groups;
  for (const RecallRow& row : rows) {
    const auto same = std::ranges::find_if(groups, [&](const std::vector<RecallRow>& group) {
      return group[0].model == row.model && group[0].length == row.length && group[0].pairs == row.pairs;
    });
    if (same == groups.end()) {
      groups.push_back({row});
    } else {
      same->push_back(row);
    }
  }
  return groups;
}

using Field = std::optional<double> RecallRow::*;

std::vector<double> values_of(const std::vector<RecallRow>& group, Field field) {
  std::vector<double> values;
  for (const RecallRow& row : group) {
    if (row.*field) values.push_back(*(row.*field));
  }
  return values;
}

std::string mean_text(const std::vector<double>& values) {
  if (values.empty()) return "";
  std::vector<benchmark::Term> terms;
  for (std::size_t i = 0; i < values.size(); ++i) terms.push_back({static_cast<int>(i), values[i], 1});
  const benchmark::Estimate e = benchmark::estimate(terms);
  if (values.size() < 2) return fmt::format("{:.4g}", e.mean);
  const auto [least, most] = std::ranges::minmax(values);
  return fmt::format("{:.4g} ({:.4g} to {:.4g}; seeds {:.4g} to {:.4g})", e.mean, e.interval.low, e.interval.high,
                     least, most);
}

struct Column {
  const char* name;
  std::function<std::string(const std::vector<RecallRow>&)> text;
};

std::vector<Column> columns() {
  const auto whole = [](std::optional<std::int64_t> RecallRow::*field) {
    return [=](const std::vector<RecallRow>& group) {
      return group[0].*field ? fmt::format("{}", *(group[0].*field)) : "";
    };
  };
  const auto mean = [](Field field) {
    return [=](const std::vector<RecallRow>& group) { return mean_text(values_of(group, field)); };
  };
  return {{"model", [](const std::vector<RecallRow>& group) { return group[0].model; }},
          {"seeds", [](const std::vector<RecallRow>& group) { return std::to_string(group.size()); }},
          {"length", whole(&RecallRow::length)},
          {"pairs", whole(&RecallRow::pairs)},
          {"accuracy", mean(&RecallRow::accuracy)},
          {"changed", mean(&RecallRow::accuracy_changed)},
          {"state bytes", whole(&RecallRow::state_bytes)},
          {"write share", mean(&RecallRow::write_share)},
          {"p50 µs", mean(&RecallRow::p50_us)},
          {"bits per byte", mean(&RecallRow::bits_per_byte)},
          {"trained, CPU s", mean(&RecallRow::train_seconds)}};
}

std::string colour_of(std::size_t index) {
  constexpr const char* kColours[] = {"#2f7fd1", "#d64545", "#2a9d55", "#9a5fd0", "#d98a1f", "#3a9aa8", "#7a7a7a"};
  if (index < std::size(kColours)) return kColours[index];
  return fmt::format("hsl({} 55% 45%)", index * 137 % 360);
}

// points (x, y) of each model of a part, where both are measured: means over seeds
void add_chart(web::Page& page, const std::vector<RecallRow>& rows, const std::string& part, web::Chart chart, auto x,
               auto y) {
  std::map<std::string, web::Points> points;
  for (const std::vector<RecallRow>& group : grouped(trained_rows(part, rows))) {
    double sum_x = 0, sum_y = 0, count = 0;
    for (const RecallRow& row : group) {
      if (x(row) && y(row)) sum_x += *x(row), sum_y += *y(row), ++count;
    }
    if (count > 0) points[group[0].model].emplace_back(sum_x / count, sum_y / count);
  }
  for (auto& [name, line] : points) {
    std::ranges::sort(line);
    chart.lines.push_back({name, colour_of(chart.lines.size()), line});
  }
  if (!points.empty()) page.chart(chart);
}

std::optional<double> logarithm(const std::optional<std::int64_t>& x) {
  return x ? std::optional(std::log10(static_cast<double>(std::max<std::int64_t>(*x, 1)))) : std::nullopt;
}

// one memory with a budget on recurring keys: surprise, writes and what is recalled, step by step
void add_watched_memory(web::Page& page) {
  constexpr int kSteps = 600, kPairs = 16, kKeys = 32;
  AssociativeMemory memory = writing_always(kKeys, kValueSize);
  memory.gate = {.policy = WritePolicy::budget, .threshold = 0.3, .share = 0.1, .burst = 16};
  const RulePointer rule = library_rule(memory, 0.9);
  PairSource source(kKeys, 0.1, 5);
  std::vector<std::pair<std::vector<float>, int>> pairs;
  for (int i = 0; i < kPairs; ++i) pairs.emplace_back(source.key(), source.value());
  web::Line surprise{"surprise", colour_of(0), {}}, wrote{"written", colour_of(1), {}},
      right{"recalled, mean of 40", colour_of(2), {}};
  double recalled = 0;
  int writes = 0;
  for (int t = 0; t < kSteps; ++t) {
    auto& [key, value] = pairs[as_size(source.random().below(kPairs))];
    if (source.random().uniform() < 0.02) value = source.value();
    float known[kValueSize];
    rule->recall(key, known);
    double error = 0;
    for (int i = 0; i < kValueSize; ++i) error += std::pow(known[i] - source.vector(value)[as_size(i)], 2) / kValueSize;
    recalled += ((source.recalls(*rule, key, value) ? 1.0 : 0.0) - recalled) / 40;
    surprise.points.emplace_back(t, std::min(error, 4.0));
    right.points.emplace_back(t, recalled);
    if (rule->write(key, source.noisy(value, 0.2))) {
      ++writes;
      wrote.points.emplace_back(t, 0.0);
      wrote.points.emplace_back(t, error);
      wrote.points.emplace_back(t, 0.0);
    }
  }
  page.heading("What is written, when and why");
  page.paragraph(
      fmt::format("A delta memory with a budget of 10 %: {} keys recur, and now and then one gets another value. A "
                  "peak of surprise is a "
                  "key that the memory does not know or that has changed; a red line is a write. {} of {} steps wrote.",
                  kPairs, writes, kSteps));
  page.chart({.title = "surprise and writes", .x_label = "step", .y_label = "‖e‖²/‖v‖²", .lines = {surprise, wrote}});
  page.chart({.title = "what a query retrieves", .x_label = "step", .y_label = "share recalled", .lines = {right}});
}

}  // namespace

std::string table_of(const std::string& part, const std::vector<RecallRow>& rows) {
  const std::vector<std::vector<RecallRow>> groups = grouped(rows);
  std::string text = "\n## " + part + "\n\n" + explanation_of(part) + "\n\n";
  if (groups.empty()) return text + "No rows yet; add --train.\n";
  std::vector<Column> shown;
  for (const Column& column : columns()) {
    if (std::ranges::any_of(groups, [&](const auto& group) { return !column.text(group).empty(); })) {
      shown.push_back(column);
    }
  }
  for (const Column& column : shown) text += std::string("| ") + column.name + " ";
  text += "|\n";
  for (std::size_t i = 0; i < shown.size(); ++i) text += "| --- ";
  text += "|\n";
  for (const auto& group : groups) {
    for (const Column& column : shown) text += "| " + column.text(group) + " ";
    text += "|\n";
  }
  return text;
}

std::string explanation_of(const std::string& part) {
  static const std::map<std::string, std::string> texts = {
      {"copy_exact", "Share of strings that are copied without an error; `changed`: the bound on it."},
      {"mqar",
       "Share of queries answered, as a stream in float32. Of a stack of two memories the write share counts both."},
      {"rebind", "24 keys, half of them bound a second time: kept, and changed. Keys are learned."},
      {"copy",
       "Share of strings copied whole; trained on 6 to 20 letters. `changed`: the most that any model with a state of "
       "so many bytes can copy."},
      {"rules", "Keys are given. n pairs shown once; with 24 pairs, half of them bound again: kept, and changed."},
      {"gates", "Recurring keys with cosine .36, noisy values that change: share recalled before each step."},
      {"needles", "24 needles after so many steps of other keys and junk."},
      {"devices", "Mean squared error of a device's offset over its variance (`accuracy` is this error)."},
      {"regimes",
       "Squared error of returning visits: first ten steps (`accuracy`) and the rest (`changed`); noise .01."},
      {"language", "Bits per byte of a text that nothing was chosen by."},
      {"cost", "Median microseconds per token of the memory alone, and of one head of attention."},
      {"sizes",
       "Heads x (d_k, d_v) of a head: pairs recalled of those shown once, and median microseconds of a step that "
       "writes. Each head has its part of the value."}};
  const auto found = texts.find(part);
  return found == texts.end() ? "" : found->second;
}

std::string recall_page(const std::vector<RecallRow>& rows) {
  web::Page page("Memory that writes only what is worth it");
  add_watched_memory(page);
  page.heading("Recall against state");
  add_chart(
      page, rows, "mqar",
      {.title = "64 pairs of 512 symbols in 256 steps", .x_label = "log10 of state bytes", .y_label = "accuracy"},
      [](const RecallRow& row) {
        const bool is_large = row.length == 256 && row.pairs == 64 && row.model.ends_with("512 symbols");
        return is_large ? logarithm(row.state_bytes) : std::nullopt;
      },
      [](const RecallRow& row) { return row.accuracy; });
  add_chart(
      page, rows, "mqar",
      {.title = "32 pairs of 192 symbols in 128 steps", .x_label = "log10 of state bytes", .y_label = "accuracy"},
      [](const RecallRow& row) {
        const bool is_small = row.length == 128 && row.pairs == 32 && row.model.find("512") == std::string::npos &&
                              !row.model.ends_with(" on surprise");
        return is_small ? logarithm(row.state_bytes) : std::nullopt;
      },
      [](const RecallRow& row) { return row.accuracy; });
  page.heading("Recall against the share of steps that write");
  for (const int pairs : {32, 96}) {
    add_chart(
        page, rows, "gates",
        {.title = fmt::format("{} recurring keys", pairs),
         .x_label = "share of steps that write",
         .y_label = "accuracy"},
        [=](const RecallRow& row) { return row.pairs == pairs ? row.write_share : std::nullopt; },
        [](const RecallRow& row) { return row.accuracy; });
  }
  page.heading("Cost against context");
  add_chart(
      page, rows, "cost", {.title = "time", .x_label = "log10 of tokens", .y_label = "µs per token", .log_y = true},
      [](const RecallRow& row) { return logarithm(row.length); }, [](const RecallRow& row) { return row.p50_us; });
  add_chart(
      page, rows, "cost", {.title = "state", .x_label = "log10 of tokens", .y_label = "bytes", .log_y = true},
      [](const RecallRow& row) { return logarithm(row.length); },
      [](const RecallRow& row) {
        return row.state_bytes ? std::optional(static_cast<double>(*row.state_bytes)) : std::nullopt;
      });
  page.heading("Recall against time");
  add_chart(
      page, rows, "sizes", {.title = "64 pairs, by heads and sizes", .x_label = "µs per step", .y_label = "accuracy"},
      [](const RecallRow& row) { return row.pairs == 64 ? row.p50_us : std::nullopt; },
      [](const RecallRow& row) { return row.accuracy; });
  add_chart(
      page, rows, "language", {.title = "a text", .x_label = "µs per byte", .y_label = "bits per byte"},
      [](const RecallRow& row) { return row.p50_us; }, [](const RecallRow& row) { return row.bits_per_byte; });
  return page.html();
}

}  // namespace elastane::recall
