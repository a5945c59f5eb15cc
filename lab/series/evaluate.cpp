#include "lab/series/evaluate.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lab/series/baselines.h"
#include "lab/series/contenders.h"

namespace elastane::series {
namespace {

// the value below which a share q of them lies
double quantile(std::span<const double> values, double q) {
  if (values.empty()) return 0;
  std::vector<double> copy(values.begin(), values.end());
  const auto at = std::min(copy.size() - 1, static_cast<std::size_t>(q * static_cast<double>(copy.size())));
  std::ranges::nth_element(copy, copy.begin() + static_cast<std::ptrdiff_t>(at));
  return copy[at];
}

void add_times(std::span<const double> micros, Judged& judged) {
  const std::size_t tenth = std::max<std::size_t>(1, micros.size() / 10);
  judged.p50_us = quantile(micros, 0.5);
  judged.p99_us = quantile(micros, 0.99);
  if (micros.empty()) return;
  judged.p99_first_tenth_us = quantile(micros.first(tenth), 0.99);
  judged.p99_last_tenth_us = quantile(micros.last(tenth), 0.99);
}

// what rivals are made from
struct Past {
  const Dataset& data;
  Split split;
  int targets, horizon, season;
  std::vector<SeriesUnits> units;

  std::unique_ptr<Method> method(std::unique_ptr<Baseline> baseline) const {
    std::unique_ptr<Method> method = in_units(std::move(baseline), targets, horizon, units);
    give_past(*method, data, split);
    return method;
  }
  std::unique_ptr<Method> same(const std::unique_ptr<Univariate>& one) const {
    std::vector<std::unique_ptr<Univariate>> all;
    for (int i = 0; i < targets; ++i) all.push_back(one->clone());
    return method(each_target(std::move(all), horizon));
  }
  std::unique_ptr<Method> best(std::vector<std::unique_ptr<Univariate>> candidates) const {
    return method(choose_each_target(std::move(candidates), data, split, units, horizon));
  }
};

void add_rivals(std::vector<Entry>& all, const std::shared_ptr<const Past>& past) {
  all.push_back({"persistence", "", [past] { return past->same(persistence()); }});
  if (past->season > 1) {
    all.push_back({"seasonal naive", "", [past] { return past->same(seasonal_naive(past->season)); }});
  }
  all.push_back({"exponential smoothing", "", [past] { return past->best(smoothing_candidates(past->season)); }});
  all.push_back({"recursive least squares on lags", "",
                 [past] { return past->method(lag_regression(past->targets, past->horizon)); }});
  all.push_back({"kalman filter on an autoregression", "", [past] { return past->best(autoregression_candidates()); }});
}

void add_own(std::vector<Entry>& all, const SharedForecastModel& model, double price) {
  all.push_back({"frozen", "", [model] { return forecaster_method(model, {.adapt = false}); }});
  all.push_back({"frozen, hedged", "", [model] { return frozen_hedged(model); }});
  for (const Metric metric : {Metric::euclidean, Metric::exact, Metric::latent_covariance, Metric::kalman}) {
    all.push_back(
        {"corrected", std::string(name(metric)), [=] { return forecaster_method(model, {.metric = metric}); }});
  }
  all.push_back({"corrected, not hedged", "kalman", [model] { return forecaster_method(model, {.hedge = false}); }});
  if (price > 0) {
    const GateOptions gate{.kind = Gate::gain, .price = price};
    all.push_back({"corrected, gated", "kalman", [=] { return forecaster_method(model, {.gate = gate}); }});
  }
}

}  // namespace

std::vector<Entry> entries(const Dataset& data, const FitOptions& options, const Fit& fit) {
  std::vector<Entry> all;
  const ForecastConfig& config = fit.model.config;
  // rivals get the season that was found, even where ours did better without one
  double season = options.periods.empty() ? 0 : options.periods.front();
  if (season == 0 && !options.seasonless) season = find_season(data, options.split);
  add_rivals(all, std::make_shared<const Past>(Past{data, options.split, config.targets, config.horizon,
                                                    static_cast<int>(std::lround(season)), units_of(fit.model)}));
  add_own(all, std::make_shared<const ForecastModel>(fit.model), fit.price);
  return all;
}

Judged judge(const Entry& entry, const Dataset& data, const Split& split, const ForecastModel& model,
             const EvaluateOptions& options) {
  Judged judged{.method = entry.method, .metric = entry.metric};
  const std::unique_ptr<Method> prepared = entry.make();
  const std::vector<SeriesUnits> units = units_of(model);
  const bool many = data.series.size() > 1;
  std::vector<double> micros;
  double series = 0, depth = 0, alarms = 0;
  for (std::size_t k = 0; k < data.series.size(); ++k) {
    const Series& s = data.series[k];
    const Ends ends = ends_of(split, s.rows());
    if (ends.test <= ends.held_out) continue;
    const std::unique_ptr<Method> method = prepared->clone();
    const std::size_t first = many ? ends.held_out - std::min(ends.held_out, kContext) : ends.held_out;
    if (many) method->begin(k, s.ticks[first]);
    give(*method, s, {first, ends.held_out, ends.held_out, ends.held_out});
    Score score(model.config.targets, model.config.horizon, units[many ? k : 0].deviation);
    Witness witness{.score = &score, .micros = &micros};
    if (options.issued) {
      witness.issued = [&](std::uint64_t tick, std::span<const double> y) { options.issued(entry.method, tick, y); };
    }
    const Habits before = method->habits();
    give(*method, s, whole_forecasts(ends.held_out, ends.held_out, ends.test, model.config.horizon), witness);
    depth += method->habits().depth - before.depth;
    alarms += method->habits().alarms - before.alarms;
    judged.rows += ends.test - ends.held_out;
    if (score.labels() == 0) continue;
    series += 1;
    judged.mse += (score.squared() - judged.mse) / series;
    judged.mae += (score.absolute() - judged.mae) / series;
    judged.coverage += (score.coverage() - judged.coverage) / series;
  }
  if (series == 0) throw std::runtime_error("[data] expected test rows to judge by, found none; see --test");
  judged.depth = depth / static_cast<double>(judged.rows);
  judged.alarms = 1e4 * alarms / static_cast<double>(judged.rows);
  add_times(micros, judged);
  return judged;
}

Evaluation evaluate(const Dataset& data, const EvaluateOptions& options) {
  constexpr double kFitShare = 0.4;  // of the whole, roughly
  Evaluation result;
  FitOptions fitting = options.fit;
  fitting.progress = [&](double share, const std::string& what) {
    options.progress(kFitShare * share, "fit: " + what);
  };
  result.fit = fit(data, fitting);
  std::vector<Entry> all = entries(data, options.fit, result.fit);
  if (!options.methods.empty()) {
    std::erase_if(
        all, [&](const Entry& e) { return std::ranges::find(options.methods, e.method) == options.methods.end(); });
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    options.progress(kFitShare + (1 - kFitShare) * static_cast<double>(i) / static_cast<double>(all.size()),
                     all[i].method);
    result.judged.push_back(judge(all[i], data, options.fit.split, result.fit.model, options));
  }
  return result;
}

}  // namespace elastane::series
