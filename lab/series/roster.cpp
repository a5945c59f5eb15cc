#include "lab/series/roster.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/forecast/forecast_state.h"
#include "elastane/forecast/season.h"
#include "lab/series/baselines.h"

namespace elastane::series {
namespace {

// what baselines are made from
struct Past {
  const Dataset& data;
  DataSplit split;
  int targets, horizon, season;
  std::vector<SeriesUnits> units;

  std::unique_ptr<ForecastMethod> method(std::unique_ptr<Baseline> baseline) const {
    std::unique_ptr<ForecastMethod> method = in_units(std::move(baseline), targets, horizon, units);
    observe_past(*method, data, split);
    return method;
  }
  std::unique_ptr<ForecastMethod> same(const std::unique_ptr<Univariate>& one) const {
    std::vector<std::unique_ptr<Univariate>> all;
    for (int i = 0; i < targets; ++i) all.push_back(one->clone());
    return method(each_target(std::move(all), horizon));
  }
  std::unique_ptr<ForecastMethod> best(std::vector<std::unique_ptr<Univariate>> candidates) const {
    return method(choose_each_target(std::move(candidates), data, split, units, horizon));
  }
};

void add_baselines(std::vector<RosterEntry>& all, const std::shared_ptr<const Past>& past) {
  all.push_back({"persistence", "", [past] { return past->same(persistence()); }});
  if (past->season > 1) {
    all.push_back({"seasonal naive", "", [past] { return past->same(seasonal_naive(past->season)); }});
  }
  all.push_back({"exponential smoothing", "", [past] { return past->best(smoothing_candidates(past->season)); }});
  all.push_back({"recursive least squares on lags", "",
                 [past] { return past->method(lag_regression(past->targets, past->horizon)); }});
  all.push_back({"kalman filter on an autoregression", "", [past] { return past->best(autoregression_candidates()); }});
}

void add_ours(std::vector<RosterEntry>& all, const SharedForecastModel& model, double price) {
  all.push_back({"frozen", "", [model] { return forecaster_method(model, {.adapt = false}); }});
  all.push_back({"frozen, hedged", "", [model] { return frozen_hedged(model); }});
  for (const Learning learning :
       {Learning::euclidean, Learning::exact, Learning::latent_covariance, Learning::kalman}) {
    all.push_back(
        {"corrected", std::string(name(learning)), [=] { return forecaster_method(model, {.learning = learning}); }});
  }
  all.push_back({"corrected, not hedged", "kalman", [model] { return forecaster_method(model, {.hedge = false}); }});
  if (price > 0) {
    const GateOptions gate{.kind = Gate::gain, .price = price};
    all.push_back({"corrected, gated", "kalman", [=] { return forecaster_method(model, {.gate = gate}); }});
  }
}

}  // namespace

std::vector<RosterEntry> roster(const Dataset& data, const FitOptions& options, const ForecastFit& fit) {
  std::vector<RosterEntry> all;
  const ForecastConfig& config = fit.model->config;
  // baselines get the season that was found, even if our forecaster did better without it
  double season = options.periods.empty() ? 0 : options.periods.front();
  if (season == 0 && !options.seasonless) season = find_season(data, options.split);
  add_baselines(all,
                std::make_shared<const Past>(Past{data, options.split, config.targets, config.horizon,
                                                  static_cast<int>(std::lround(season)), series_units(*fit.model)}));
  add_ours(all, fit.model, fit.price);
  return all;
}

std::unique_ptr<ForecastMethod> frozen_hedged(const SharedForecastModel& model) {
  // every read-out is the frozen one and never learns, so only the mixture adapts
  auto still = std::make_shared<ForecastModel>(*model);
  const ForecastSizes sizes(still->config);
  ForecastState state(sizes);
  state.carve(still->start.data());
  for (int l = 0; l < sizes.learners; ++l) {
    std::ranges::copy(still->frozen, state.weights + static_cast<std::size_t>(l) * still->frozen.size());
  }
  return forecaster_method(still, {.gate = {.kind = Gate::never}});
}

}  // namespace elastane::series
