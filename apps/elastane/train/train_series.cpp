// elastane train series: fits a forecaster to a table of past rows.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "apps/elastane/evaluate/series_options.h"
#include "apps/elastane/verbs.h"
#include "command_line/bar.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/io/file.h"

namespace elastane::app {
namespace {

void report(const ForecastFit& fit, const std::string& output) {
  const ForecastConfig& c = fit.model->config;
  fmt::print("{} target{}, {} channels, {} rows ahead; {} rows to learn from, {} held out\n", c.targets,
             c.targets == 1 ? "" : "s", c.channels, c.horizon, fit.learned, fit.held_out);
  fmt::print("season: {}\n", c.periods.empty() ? "none" : fmt::format("{:g} rows", fmt::join(c.periods, " and ")));
  fmt::print("\n| tried on the held-out rows | mean squared error | |\n| --- | --: | --- |\n");
  for (const FitTrial& trial : fit.trials) {
    if (trial.of_metric) continue;
    fmt::print("| {} | {:.4f} | {} |\n", trial.what, trial.squared, trial.taken ? "taken" : "");
  }
  fmt::print("\nheld out: adapting {:.4f}, frozen {:.4f}, persistence {:.4f} (in units of the rows to learn from)\n",
             fit.held_out_squared, fit.held_out_frozen, fit.held_out_persistence);
  fmt::print("the model is {}\n", output);
}

constexpr const char* kTrainExamples =
    "Examples:\n"
    "  elastane train series --input load.csv --horizon 24 -o load.safetensors\n"
    "  elastane train series --input plant.csv --target yield --exogenous feed,heat --horizon 8 -o "
    "yield.safetensors\n"
    "  elastane train series --input load.csv --target load --future temperature,holiday --calendar weekday "
    "--horizon 24 -o load.safetensors\n"
    "  elastane train series --input shops.csv --learn 0.8 --held-out 0.1 -o shops.safetensors\n"
    "then\n"
    "  tail -f load.csv | elastane run --model load.safetensors\n\n"
    "Learning is exact and nothing in it is random: the same rows give the same model, bit for bit.";

}  // namespace

void add_train_series(command_line::Command& train, const std::string& command) {
  struct Options {
    SeriesOptions series;
    std::string output;
    std::uint64_t seed = 0;
  };
  auto options = std::make_shared<Options>();
  options->series.split = {.learn = {0.8}, .held_out = {0.2}};  // no rows are kept back for a test
  command_line::Command& verb = train.command("series", "Fit a forecaster that adapts, from a table of past rows");
  verb.option("--input", options->series.input,
              "table: .csv, .tsv, .npy or .jsonl, also as .gz, or - for standard input; a column unique_id makes one "
              "series per id")
      .required()
      .type("FILE");
  add_series_options(verb, options->series);
  verb.option("--horizon", options->series.horizon, "rows ahead").range(1, 10'000);
  verb.option("-o,--output", options->output, "model file to write").required().type("FILE");
  verb.option("--seed", options->seed, "recorded only: nothing here is random").hide_default();
  verb.footer(kTrainExamples);
  verb.action([options, command] {
    check_writable(options->output).value();  // before the work, not after it
    const Dataset data = with_future(read_series(options->series), options->series);
    FitOptions fit = fit_options(options->series, data);
    command_line::Bar bar;
    fit.progress = [&](double share, const std::string& doing) { bar.update(share, doing); };
    const ForecastFit fitted = ForecastFitter(fit).fit(data).value();
    bar.clear();
    save_forecast_model(options->output, *fitted.model,
                        {{"command", command}, {"version", "elastane " ELASTANE_VERSION}})
        .value();
    report(fitted, options->output);
    return 0;
  });
}

}  // namespace elastane::app
