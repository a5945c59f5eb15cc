// elastane evaluate series: our forecaster and baselines on the same rows, in one table.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/elastane/evaluate/evaluation_page.h"
#include "apps/elastane/evaluate/series_options.h"
#include "apps/elastane/verbs.h"
#include "command_line/bar.h"
#include "elastane/io/file.h"
#include "lab/series/comparison_json.h"

namespace elastane::app {
namespace {

using Json = nlohmann::ordered_json;

struct EvaluateVerb {
  SeriesOptions series;
  std::vector<std::string> inputs;
  std::vector<int> horizons = {1};
  std::vector<int> seeds = {1};
  std::vector<std::string> methods;
  int windows = 1;
  std::string page;
  std::string json;
};

void print_head(const ForecastFit& fit, const std::string& data) {
  const ForecastConfig& c = fit.model->config;
  fmt::print("\n{}, {} row{} ahead: {} rows to learn from, {} held out, season {}\n\n", data, c.horizon,
             c.horizon == 1 ? "" : "s", fit.learned, fit.held_out,
             c.periods.empty() ? "none" : fmt::format("{:g}", c.periods.front()));
  fmt::print(
      "| method | learning | MSE | over windows | MAE | MASE | CRPS | coverage | width | p50 µs | p99 µs | updates "
      "|\n");
  fmt::print("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
}

// mean of the windows and its 95 % interval, by Student's t
std::string over_windows(const std::vector<double>& windows) {
  const auto n = static_cast<double>(windows.size());
  if (n < 2) return "–";
  double mean = 0, squares = 0;
  for (const double w : windows) mean += w / n;
  for (const double w : windows) squares += (w - mean) * (w - mean);
  const double t = 1.96 + 2.4 / (n - 1) + 8.3 / ((n - 1) * (n - 1));  // within 1 % from four windows on
  return fmt::format("{:.3g} ± {:.2g}", mean, t * std::sqrt(squares / (n - 1) / n));
}

void print_row(const series::MethodResult& j) {
  fmt::print("| {} | {} | {:.4g} | {} | {:.4g} | {:.3g} | {:.4g} | {:.3f} | {:.3g} | {:.1f} | {:.1f} | {} |\n",
             j.method, j.metric.empty() ? "–" : j.metric, j.score.mse, over_windows(j.score.mse_by_window), j.score.mae,
             j.score.mase, j.score.crps, j.score.coverage, j.score.width, j.score.p50_us, j.score.p99_us,
             j.metric.empty() ? "–" : fmt::format("{:.2f}", j.score.depth));
}

void run(const EvaluateVerb& verb) {
  for (const std::string& path : {verb.json, verb.page}) {
    if (!path.empty()) check_writable(path).value();
  }
  std::vector<EvaluatedTable> tables;
  Json rows = Json::array();
  for (const std::string& input : verb.inputs) {
    SeriesOptions options = verb.series;
    options.input = input;
    const Dataset read = read_series(options);
    const std::string name = std::filesystem::path(input).stem().string();
    for (const int horizon : verb.horizons) {
      options.horizon = horizon;
      series::ComparisonOptions comparison;
      const Dataset data = with_future(read, options);
      comparison.fit = fit_options(options, data);
      comparison.methods = verb.methods;
      comparison.windows = verb.windows;
      const auto wants = [&](const char* method) {
        return verb.methods.empty() || std::ranges::find(verb.methods, method) != verb.methods.end();
      };
      comparison.fit.find_price = wants("corrected, gated");
      comparison.fit.tune_metrics = wants("corrected");
      command_line::Bar bar;
      comparison.progress = [&](double share, const std::string& doing) { bar.update(share, name + ", " + doing); };
      const series::Comparison result = series::compare_methods(data, comparison);
      bar.clear();
      print_head(result.fit, name);
      tables.push_back({name, horizon, result.results});
      for (const series::MethodResult& j : result.results) print_row(j);
      std::fflush(stdout);
      for (const int seed : verb.seeds) {
        for (const series::MethodResult& j : result.results)
          rows.push_back(series::as_json(j, name, horizon, static_cast<std::uint64_t>(seed)));
      }
    }
  }
  fmt::print(
      "\nErrors are in units of the rows to learn from. A forecast knows the rows up to the one it is made at.\n"
      "Nothing here is random: every seed gives the same figures, except for the times.\n");
  if (!verb.page.empty()) {
    const std::string html = evaluation_page(tables);
    write_file(verb.page, std::as_bytes(std::span(html))).value();
  }
  if (verb.json.empty()) return;
  const std::string text = rows.dump(1) + "\n";
  write_file(verb.json, std::as_bytes(std::span(text))).value();
}

}  // namespace

void add_evaluate(command_line::Command& program) {
  command_line::Command& evaluate = program.command("evaluate", "Compare forecast accuracy with baselines");
  add_evaluate_anomalies(evaluate);
  auto options = std::make_shared<EvaluateVerb>();
  command_line::Command& verb = evaluate.command("series", "Compare our forecaster with baselines on the same rows");
  verb.option("--input", options->inputs,
              "tables: .csv, .tsv, .npy or .jsonl, also as .gz, or - for standard input; a column unique_id makes one "
              "series per id")
      .required()
      .type("FILE");
  add_series_options(verb, options->series);
  verb.option("--horizon", options->horizons, "rows ahead; one table for each of several, separated by commas")
      .range(1, 10'000);
  verb.option("--test", options->series.split.test.amount,
              "rows after the held-out ones, to evaluate on (default: all that are left)")
      .above(0)
      .type("SHARE|ROWS")
      .hide_default();
  verb.option("--methods", options->methods, "methods to compare, by their names in the table (default: all)");
  verb.option("--windows", options->windows, "parts of the test rows over which errors are compared").range(1, 1000);
  verb.option("--seed", options->seeds, "recorded only: nothing here is random").at_least(0);
  verb.option("--report", options->page, "also write a page with the errors of all methods").type("FILE.html");
  verb.option("--json", options->json, "also write the results to this file, as a JSON list").type("FILE");
  verb.footer(
      "Example:\n"
      "  elastane evaluate series --input load.csv --horizon 1,24,48 --learn 0.2 --held-out 0.05 --json rows.json\n\n"
      "Everything is learned on the first rows, chosen on the held-out rows and evaluated on the test rows only.");
  verb.action([options] { return run(*options), 0; });
}

}  // namespace elastane::app
