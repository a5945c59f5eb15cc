// elastane evaluate series: our forecaster and its rivals on the same rows, in one table.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/elastane/evaluate/series_options.h"
#include "apps/elastane/verbs.h"
#include "command_line/bar.h"
#include "elastane/io/file.h"
#include "lab/series/evaluate_json.h"

namespace elastane::app {
namespace {

using Json = nlohmann::ordered_json;

struct EvaluateVerb {
  SeriesOptions series;
  std::vector<std::string> inputs;
  std::vector<int> horizons = {1};
  std::vector<std::uint64_t> seeds = {1};
  std::string json;
};

void print_head(const series::Fit& fit, const std::string& data) {
  const ForecastConfig& c = fit.model.config;
  fmt::print("\n{}, {} row{} ahead: {} rows to learn from, {} held out, season {}\n\n", data, c.horizon,
             c.horizon == 1 ? "" : "s", fit.learned, fit.held_out,
             c.periods.empty() ? "none" : fmt::format("{:g}", c.periods.front()));
  fmt::print(
      "| method | metric | MSE | MAE | coverage | p50 µs | p99 µs | p99, first tenth | p99, last tenth | depth |\n");
  fmt::print("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
}

void print_row(const series::Judged& j) {
  fmt::print("| {} | {} | {:.4g} | {:.4g} | {:.3f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} |\n", j.method,
             j.metric.empty() ? "–" : j.metric, j.mse, j.mae, j.coverage, j.p50_us, j.p99_us, j.p99_first_tenth_us,
             j.p99_last_tenth_us, j.metric.empty() ? "–" : fmt::format("{:.2f}", j.depth));
}

void run(const EvaluateVerb& verb) {
  Json rows = Json::array();
  for (const std::string& input : verb.inputs) {
    SeriesOptions options = verb.series;
    options.input = input;
    const series::Dataset data = read_series(options);
    const std::string name = std::filesystem::path(input).stem().string();
    for (const int horizon : verb.horizons) {
      options.horizon = horizon;
      series::EvaluateOptions evaluation;
      evaluation.fit = fit_options(options);
      evaluation.fit.find_price = true;
      command_line::Bar bar;
      evaluation.progress = [&](double share, const std::string& doing) { bar.update(share, name + ", " + doing); };
      const series::Evaluation result = series::evaluate(data, evaluation);
      bar.clear();
      print_head(result.fit, name);
      for (const series::Judged& j : result.judged) print_row(j);
      std::fflush(stdout);
      for (const std::uint64_t seed : verb.seeds) {
        for (const series::Judged& j : result.judged) rows.push_back(series::as_json(j, name, horizon, seed));
      }
    }
  }
  fmt::print(
      "\nErrors are in units of the rows to learn from. The newest label of a forecast is the row that it was made "
      "at.\n"
      "Nothing here is random: every seed gives the same figures, but for the times.\n");
  if (verb.json.empty()) return;
  const std::string text = rows.dump(1) + "\n";
  write_file(verb.json, std::as_bytes(std::span(text))).value();
}

}  // namespace

void add_evaluate(CLI::App& app) {
  CLI::App* evaluate = app.add_subcommand("evaluate", "How good forecasts are, against what else one could do");
  evaluate->require_subcommand(1);
  auto options = std::make_shared<EvaluateVerb>();
  CLI::App* verb = evaluate->add_subcommand("series", "Our forecaster and its rivals on the same rows, in one table");
  add_series_options(*verb, options->series);
  verb->remove_option(verb->get_option("--input"));  // several, here
  verb->add_option("--input", options->inputs, "tables: .csv, .tsv, .npy, .jsonl; a column unique_id: long form")
      ->required()
      ->type_name("FILE");
  verb->add_option("--horizon", options->horizons, "rows ahead; several, with commas, are one table each")
      ->delimiter(',')
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  verb->add_option("--test", options->series.split.test.amount, "rows after the held-out ones, to be judged by")
      ->check(CLI::PositiveNumber)
      ->type_name("SHARE|ROWS");
  verb->add_option("--seed", options->seeds, "for the record: nothing here is random")->delimiter(',');
  verb->add_option("--json", options->json, "write the rows to this file, as a JSON list")->type_name("FILE");
  verb->footer(
      "Example:\n"
      "  elastane evaluate series --input load.csv --horizon 1,24,48 --learn 0.2 --held-out 0.05 --json rows.json\n\n"
      "Everything is learned on the first rows, chosen on the held-out ones and judged on the test rows alone.");
  verb->callback([options] { run(*options); });
}

}  // namespace elastane::app
