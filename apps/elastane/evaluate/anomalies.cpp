// elastane evaluate anomalies: the alarms of a forecaster on streams whose faults are known, or on a labelled table.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/elastane/evaluate/series_options.h"
#include "apps/elastane/verbs.h"
#include "command_line/bar.h"
#include "elastane/io/file.h"
#include "lab/series/anomaly_evaluation.h"
#include "lab/series/rough_bounds.h"

namespace elastane::app {
namespace {

using Json = nlohmann::ordered_json;

struct AnomaliesVerb {
  SeriesOptions series;
  std::string label, json;
  std::vector<std::string> families;
  double false_alarms = 1;  // per 1,000 rows
  int grace = 0;
  series::AnomalyEvaluationOptions streams;
};

// JSON has no number for what is not known
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json evaluate_streams(AnomaliesVerb& verb) {
  verb.streams.families = series::families_named(verb.families);
  verb.streams.rate = verb.false_alarms / 1000;
  command_line::Bar bar;
  verb.streams.progress = [&](double share, const std::string& doing) { bar.update(share, doing); };
  const std::vector<series::AnomalyCell> cells = series::evaluate_anomalies(verb.streams);
  bar.clear();
  fmt::print("Stated: {:g} false alarms per 1,000 rows.\n\n", verb.false_alarms);
  fmt::print("| kind | streams | false alarms per 1,000 rows | recall | within rows | median delay |\n");
  fmt::print("| --- | --: | --: | --: | --: | --: |\n");
  for (const series::AnomalyCell& cell : series::totals(cells)) {
    const bool is_calm = cell.kind.kind == series::Rough::none;
    fmt::print("| {} | {} | {:.2f} | {} | {} | {} |\n", series::label(cell.kind), cell.streams,
               cell.false_alarms_per_1000, is_calm ? "" : fmt::format("{:.3f}", cell.recall),
               is_calm ? "" : std::to_string(series::rows_in_time(cell.kind)),
               std::isnan(cell.median_delay) ? "" : fmt::format("{:g}", cell.median_delay));
  }
  Json rows = Json::array();
  for (const series::AnomalyCell& cell : cells) {
    rows.push_back({{"kind", name(cell.kind.kind)},
                    {"size", cell.kind.size},
                    {"seed", cell.seed},
                    {"false_alarms_per_1000", cell.false_alarms_per_1000},
                    {"recall", number(cell.recall)},
                    {"median_delay", number(cell.median_delay)}});
  }
  return rows;
}

// removes the column of labels from the data; labels of the test rows
std::vector<bool> take_labels(Dataset& data, const DataSplit& split, const std::string& label) {
  Series& s = data.series.front();
  const auto at = static_cast<std::size_t>(std::ranges::find(data.names, label) - data.names.begin());
  const SplitEnds ends = split_ends(split, s.rows());
  std::vector<bool> labels;
  std::vector<double> values;
  for (std::size_t r = 0; r < s.rows(); ++r) {
    const auto row = s.row(r);
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c != at) values.push_back(row[c]);
    }
    if (r >= ends.held_out && r < ends.test) labels.push_back(row[at] > 0);
  }
  s.values = std::move(values);
  s.channels -= 1;
  data.names.erase(data.names.begin() + static_cast<std::ptrdiff_t>(at));
  return labels;
}

Json evaluate_table(AnomaliesVerb& verb) {
  if (verb.label.empty())
    throw std::runtime_error("[evaluate] --label: expected the column that labels rows, found none");
  verb.series.columns.exogenous.push_back(verb.label);
  Dataset data = read_series(verb.series);
  if (data.series.size() != 1)
    throw std::runtime_error("[evaluate] anomalies: expected one series, found several; choose the rows of one id");
  const FitOptions fit = fit_options(verb.series, data);
  const std::vector<bool> labels = take_labels(data, fit.split, verb.label);
  data = with_future(data, verb.series);
  const ForecastFit fitted = ForecastFitter(fit).fit(data).value();
  const series::AlarmedRows alarms =
      series::watch_rows(fitted.model, data, fit.split, {.alarm = {verb.false_alarms / 1000}});
  const auto grace = static_cast<std::size_t>(verb.grace);
  fmt::print(
      "| alarms | segments | found | median delay | precision | recall | F1 | point-adjusted F1 | NAB | false "
      "alarms per 1,000 rows |\n");
  fmt::print("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  Json rows = Json::array();
  const std::pair<const char*, const std::vector<bool>*> kinds[] = {
      {"all", &alarms.any}, {"unusual", &alarms.unusual}, {"drift", &alarms.drift}, {"stuck", &alarms.stuck}};
  for (const auto& [kind, flags] : kinds) {
    const series::AnomalyScore s = series::score_anomalies(*flags, labels, grace);
    fmt::print("| {} | {} | {} | {:g} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.1f} | {:.2f} |\n", kind, s.segments,
               s.found, s.median_delay, s.precision, s.recall, s.f1, s.adjusted_f1, s.nab, s.false_alarms_per_1000);
    rows.push_back(
        {{"kind", kind},
         {"seed", 0},
         {"false_alarms_per_1000", s.false_alarms_per_1000},
         {"recall", s.segments > 0 ? Json(static_cast<double>(s.found) / static_cast<double>(s.segments)) : Json()},
         {"median_delay", number(s.median_delay)},
         {"row_precision", s.precision},
         {"row_recall", s.recall},
         {"row_f1", s.f1},
         {"adjusted_precision", s.adjusted_precision},
         {"adjusted_recall", s.adjusted_recall},
         {"adjusted_f1", s.adjusted_f1},
         {"nab", number(s.nab)}});
  }
  return rows;
}

constexpr const char* kAnomalyExamples =
    "Examples:\n"
    "  elastane evaluate anomalies --json rows.json\n"
    "  elastane evaluate anomalies --input machine.csv --target temperature --label broken --grace 24\n\n"
    "Without --input, streams with known faults are made: spikes, jumps, gains, noise, stuck sensors, other seasons.\n"
    "With it, a forecaster learns the first rows of the table, and its alarms on the test rows are compared with the\n"
    "labels: by row, point-adjusted (a segment counts whole if one of its rows has an alarm), by NAB's windows.";

}  // namespace

void add_evaluate_anomalies(command_line::Command& evaluate) {
  auto options = std::make_shared<AnomaliesVerb>();
  command_line::Command& verb = evaluate.command("anomalies", "Compare alarms with faults that are known");
  verb.option("--input", options->series.input, "table with labels (default: streams with known faults)")
      .type("FILE")
      .hide_default();
  verb.option("--label", options->label, "column that is above 0 in rows where something is wrong").needs("--input");
  verb.option("--grace", options->grace, "rows after a labelled segment in which an alarm still counts")
      .range(0, 1e6)
      .needs("--input");
  add_series_options(verb, options->series);
  verb.option("--false-alarms", options->false_alarms, "alarms per 1,000 rows if nothing is wrong").range(0.01, 100);
  verb.option("--first-seed", options->streams.first_seed, "seed of the first streams");
  verb.option("--family", options->families, "laws of the made streams (default: all)").one_of(series::family_names());
  verb.option("--seeds", options->streams.seeds, "number of streams of each family").range(1, 1000);
  verb.option("--json", options->json, "also write the results to this file, as a JSON list").type("FILE");
  verb.footer(kAnomalyExamples);
  verb.action([options] {
    if (!options->json.empty()) check_writable(options->json).value();
    const Json rows = options->series.input.empty() ? evaluate_streams(*options) : evaluate_table(*options);
    const std::string text = rows.dump(1) + "\n";
    if (!options->json.empty()) write_file(options->json, std::as_bytes(std::span(text))).value();
    return 0;
  });
}

}  // namespace elastane::app
