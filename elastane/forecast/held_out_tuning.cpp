#include "elastane/forecast/held_out_tuning.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

#include "elastane/forecast/forecast_method.h"

namespace elastane {
namespace {

struct Setting {
  Learning learning;
  const char* name;
  double ForecastConfig::*value;
  std::array<double, 5> grid;
};

constexpr Setting kSettings[] = {
    {Learning::euclidean, "gradient_rate", &ForecastConfig::gradient_rate, {1e-4, 1e-3, 1e-2, 1e-1, 1}},
    {Learning::exact, "damping", &ForecastConfig::damping, {1e1, 1e2, 1e3, 1e4, 1e5}},
    {Learning::latent_covariance, "inflation", &ForecastConfig::inflation, {1e-2, 1e-1, 1, 1e1, 1e2}},
};
constexpr double kPrices[] = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4};  // per step of the horizon, highest first
constexpr double kMostError = 1.01;  // the held-out error that a price may lead to, relative to none

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

double held_out_error(const HeldOutTuning& tuning, const ForecastConfig& config, const ForecasterOptions& options) {
  auto model = std::make_shared<ForecastModel>(tuning.learned);
  model->config = config;
  const std::unique_ptr<ForecastMethod> method = forecaster_method(model, options);
  const std::vector<SeriesUnits> units = series_units(*model);
  const bool many = tuning.data.series.size() > 1;
  double sum = 0, series = 0;
  for (std::size_t k = 0; k < tuning.data.series.size(); ++k) {
    const Series& s = tuning.data.series[k];
    const SplitEnds ends = split_ends(tuning.split, s.rows());
    if (ends.held_out <= ends.learn) continue;
    const std::size_t first = many ? ends.learn - std::min(ends.learn, kContext) : ends.learn;
    if (many) method->start_series(k, s.ticks[first]);
    ForecastScore score(config.targets, config.horizon, units[many ? k : 0].deviation);
    run_method(*method, s, whole_forecasts(first, ends.learn, ends.held_out, config.horizon), {.score = &score});
    sum += score.squared();
    series += 1;
  }
  return series > 0 ? sum / series : std::numeric_limits<double>::infinity();
}

void tune_metrics(const HeldOutTuning& tuning, ForecastConfig& config, std::vector<FitTrial>& trials) {
  for (const Setting& setting : kSettings) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = trials.size();
    for (const double tried : setting.grid) {
      ForecastConfig changed = config;
      changed.*setting.value = tried;
      const double error = held_out_error(tuning, changed, {.learning = setting.learning});
      const std::string what = std::string(name(setting.learning)) + ", " + setting.name + " ";
      trials.push_back({.what = what + short_text(tried), .squared = error, .of_metric = true});
      tuning.pass_done(what);
      if (!(error < least)) continue;
      least = error;
      best = trials.size() - 1;
      config.*setting.value = tried;
    }
    if (best < trials.size()) trials[best].taken = true;
  }
}

double choose_price(const HeldOutTuning& tuning, const ForecastConfig& config) {
  const double free = held_out_error(tuning, config, {});
  for (const double each : kPrices) {
    const double price = each * config.horizon;
    const ForecasterOptions options{.gate = {.kind = Gate::gain, .price = price}};
    if (held_out_error(tuning, config, options) <= kMostError * free) return price;
  }
  return 0;
}

std::size_t metric_passes() {
  std::size_t passes = 0;
  for (const Setting& setting : kSettings) passes += setting.grid.size();
  return passes;
}

}  // namespace elastane
