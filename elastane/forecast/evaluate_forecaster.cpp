#include "elastane/forecast/evaluate_forecaster.h"

#include <algorithm>
#include <cmath>
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

// mean |x_t − x_(t−m)| of a target over the rows to learn from, m the season or 1
double naive_error(const Series& s, std::size_t rows, std::size_t target, std::size_t season) {
  double sum = 0, count = 0;
  for (std::size_t r = season; r < rows; ++r) {
    const double step = std::fabs(s.row(r)[target] - s.row(r - season)[target]);
    if (!std::isfinite(step)) continue;
    sum += step;
    count += 1;
  }
  return count > 0 && sum > 0 ? sum / count : NAN;
}

// mean over targets
double scaled_error(const ForecastScore& score, const Series& s, std::size_t learned, const ForecastConfig& config,
                    std::span<const double> deviation) {
  const auto season = config.periods.empty() ? std::size_t{1} : static_cast<std::size_t>(config.periods.front());
  double sum = 0, count = 0;
  for (int i = 0; i < config.targets; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double error =
        score.absolute_of(i) * deviation[at] / naive_error(s, learned, at, std::min(season, learned / 2));
    if (!std::isfinite(error)) continue;
    sum += error;
    count += 1;
  }
  return count > 0 ? sum / count : NAN;
}

// squared errors of parts of the test rows, of equal length
class WindowErrors {
 public:
  explicit WindowErrors(int windows) : sums_(static_cast<std::size_t>(windows)), counts_(sums_.size()) {}

  // the part of a run that is a window of its own
  void add(std::size_t window, double squared, double labels) {
    sums_[window] += squared * labels;
    counts_[window] += labels;
  }
  std::vector<double> means() const {
    std::vector<double> means;
    for (std::size_t w = 0; w < sums_.size(); ++w) means.push_back(counts_[w] > 0 ? sums_[w] / counts_[w] : NAN);
    return means;
  }

 private:
  std::vector<double> sums_, counts_;
};

}  // namespace

Result<ForecastEvaluation> evaluate_method(const ForecastMethod& prepared, const ForecastModel& model,
                                           const Dataset& data, const DataSplit& split,
                                           const std::function<void(std::uint64_t, std::span<const double>)>& issued,
                                           int windows) {
  ForecastEvaluation result;
  const std::vector<SeriesUnits> units = series_units(model);
  const bool many = data.series.size() > 1;
  std::vector<double> micros;
  WindowErrors parts(windows);
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
    RowRange range = whole_forecasts(ends.held_out, ends.held_out, ends.test, model.config.horizon);
    double squares = 0, labels = 0;
    for (std::size_t w = 0; w < static_cast<std::size_t>(windows); ++w) {
      range.end = ends.held_out + (ends.test - ends.held_out) * (w + 1) / static_cast<std::size_t>(windows);
      run_method(*method, s, range, {.score = &score, .micros = &micros, .issued = issued});
      range.begin = range.end;
      const auto now = static_cast<double>(score.labels());
      parts.add(w, now > labels ? (score.squared() * now - squares) / (now - labels) : 0, now - labels);
      squares = score.squared() * now;
      labels = now;
    }
    depth += method->counts().depth - before.depth;
    alarms += method->counts().alarms - before.alarms;
    result.rows += ends.test - ends.held_out;
    if (score.labels() == 0) continue;
    series += 1;
    result.mse += (score.squared() - result.mse) / series;
    result.mae += (score.absolute() - result.mae) / series;
    result.coverage += (score.coverage() - result.coverage) / series;
    result.width += (score.width() - result.width) / series;
    result.pinball += (score.pinball() - result.pinball) / series;
    result.mase +=
        (scaled_error(score, s, ends.learn, model.config, units[many ? k : 0].deviation) - result.mase) / series;
    result.mse_by_step.resize(static_cast<std::size_t>(model.config.horizon));
    for (int h = 1; h <= model.config.horizon; ++h) {
      double& at = result.mse_by_step[static_cast<std::size_t>(h - 1)];
      at += (score.squared_at(h) - at) / series;
    }
  }
  if (series == 0)
    return Error{"[data] expected test rows to evaluate on, found none; leave rows after the held-out ones"};
  result.crps = 2 * result.pinball;
  result.mse_by_window = parts.means();
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
