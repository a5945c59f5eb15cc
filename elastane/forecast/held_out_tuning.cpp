#include "lab/series/tune.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

#include "lab/series/contenders.h"

namespace elastane::series {
namespace {

struct Knob {
  Metric metric;
  const char* name;
  double ForecastConfig::*setting;
  std::array<double, 5> grid;
};

constexpr Knob kKnobs[] = {
    {Metric::euclidean, "gradient_rate", &ForecastConfig::gradient_rate, {1e-4, 1e-3, 1e-2, 1e-1, 1}},
    {Metric::exact, "damping", &ForecastConfig::damping, {1e1, 1e2, 1e3, 1e4, 1e5}},
    {Metric::latent_covariance, "inflation", &ForecastConfig::inflation, {1e-2, 1e-1, 1, 1e1, 1e2}},
};
constexpr double kPrices[] = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4};  // of one horizon step, dearest first
constexpr double kDearest = 1.01;                                         // the held-out error that a price may cost

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

double held_out_error(const Tuning& tuning, const ForecastConfig& config, const ForecasterOptions& options) {
  auto model = std::make_shared<ForecastModel>(tuning.learned);
  model->config = config;
  const std::unique_ptr<Method> method = forecaster_method(model, options);
  const std::vector<SeriesUnits> units = units_of(*model);
  const bool many = tuning.data.series.size() > 1;
  double sum = 0, series = 0;
  for (std::size_t k = 0; k < tuning.data.series.size(); ++k) {
    const Series& s = tuning.data.series[k];
    const Ends ends = ends_of(tuning.split, s.rows());
    if (ends.held_out <= ends.learn) continue;
    const std::size_t first = many ? ends.learn - std::min(ends.learn, kContext) : ends.learn;
    if (many) method->begin(k, s.ticks[first]);
    Score score(config.targets, config.horizon, units[many ? k : 0].deviation);
    give(*method, s, whole_forecasts(first, ends.learn, ends.held_out, config.horizon), {.score = &score});
    sum += score.squared();
    series += 1;
  }
  return series > 0 ? sum / series : std::numeric_limits<double>::infinity();
}

void tune_metrics(const Tuning& tuning, ForecastConfig& config, std::vector<Trial>& trials) {
  for (const Knob& knob : kKnobs) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = trials.size();
    for (const double setting : knob.grid) {
      ForecastConfig changed = config;
      changed.*knob.setting = setting;
      const double error = held_out_error(tuning, changed, {.metric = knob.metric});
      const std::string what = std::string(name(knob.metric)) + ", " + knob.name + " ";
      trials.push_back({.what = what + short_text(setting), .squared = error, .of_metric = true});
      tuning.took(what);
      if (!(error < least)) continue;
      least = error;
      best = trials.size() - 1;
      config.*knob.setting = setting;
    }
    if (best < trials.size()) trials[best].taken = true;
  }
}

double choose_price(const Tuning& tuning, const ForecastConfig& config) {
  const double free = held_out_error(tuning, config, {});
  for (const double each : kPrices) {
    const double price = each * config.horizon;
    const ForecasterOptions options{.gate = {.kind = Gate::gain, .price = price}};
    if (held_out_error(tuning, config, options) <= kDearest * free) return price;
  }
  return 0;
}

std::size_t metric_passes() {
  std::size_t passes = 0;
  for (const Knob& knob : kKnobs) passes += knob.grid.size();
  return passes;
}

}  // namespace elastane::series
