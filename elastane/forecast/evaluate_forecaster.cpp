#include "elastane/forecast/evaluate_forecaster.h"

#include <algorithm>
#include <vector>

#include "elastane/forecast/forecast_method.h"

namespace elastane {
namespace {

// the value below which a share q of them lies
double quantile(std::span<const double> values, double q) {
  if (values.empty()) return 0;
  std::vector<double> copy(values.begin(), values.end());
  const auto at = std::min(copy.size() - 1, static_cast<std::size_t>(q * static_cast<double>(copy.size())));
  std::ranges::nth_element(copy, copy.begin() + static_cast<std::ptrdiff_t>(at));
  return copy[at];
}

void add_times(std::span<const double> micros, ForecastEvaluation& result) {
  const std::size_t tenth = std::max<std::size_t>(1, micros.size() / 10);
  result.p50_us = quantile(micros, 0.5);
  result.p99_us = quantile(micros, 0.99);
  if (micros.empty()) return;
  result.p99_first_tenth_us = quantile(micros.first(tenth), 0.99);
  result.p99_last_tenth_us = quantile(micros.last(tenth), 0.99);
}

}  // namespace

Result<ForecastEvaluation> evaluate_method(const ForecastMethod& prepared, const ForecastModel& model,
                                           const Dataset& data, const DataSplit& split,
                                           const std::function<void(std::uint64_t, std::span<const double>)>& issued) {
  ForecastEvaluation result;
  const std::vector<SeriesUnits> units = series_units(model);
  const bool many = data.series.size() > 1;
  std::vector<double> micros;
  double series = 0, depth = 0, alarms = 0;
  for (std::size_t k = 0; k < data.series.size(); ++k) {
    const Series& s = data.series[k];
    const SplitEnds ends = split_ends(split, s.rows());
    if (ends.test <= ends.held_out) continue;
    const std::unique_ptr<ForecastMethod> method = prepared.clone();
    const std::size_t first = many ? ends.held_out - std::min(ends.held_out, kContext) : ends.held_out;
    if (many) method->start_series(k, s.ticks[first]);
    run_method(*method, s, {first, ends.held_out, ends.held_out, ends.held_out});
    ForecastScore score(model.config.targets, model.config.horizon, units[many ? k : 0].deviation);
    const MethodCounts before = method->counts();
    run_method(*method, s, whole_forecasts(ends.held_out, ends.held_out, ends.test, model.config.horizon),
               {.score = &score, .micros = &micros, .issued = issued});
    depth += method->counts().depth - before.depth;
    alarms += method->counts().alarms - before.alarms;
    result.rows += ends.test - ends.held_out;
    if (score.labels() == 0) continue;
    series += 1;
    result.mse += (score.squared() - result.mse) / series;
    result.mae += (score.absolute() - result.mae) / series;
    result.coverage += (score.coverage() - result.coverage) / series;
  }
  if (series == 0)
    return Error{"[data] expected test rows to evaluate on, found none; leave rows after the held-out ones"};
  result.depth = depth / static_cast<double>(result.rows);
  result.alarms = 1e4 * alarms / static_cast<double>(result.rows);
  add_times(micros, result);
  return result;
}

Result<ForecastEvaluation> evaluate_forecaster(const SharedForecastModel& model, const Dataset& data,
                                               const DataSplit& split, const ForecasterOptions& options) {
  if (const Status sound = validate(options); !sound) return Error{sound.error()};
  return evaluate_method(*forecaster_method(model, options), *model, data, split);
}

}  // namespace elastane
