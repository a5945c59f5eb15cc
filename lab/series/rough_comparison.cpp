#include "lab/series/rough_comparison.h"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "elastane/forecast/fitter.h"
#include "elastane/forecast/forecast_method.h"
#include "lab/series/baselines.h"

namespace elastane::series {
namespace {

constexpr int kRowsPerDay = 24;

struct Contender {
  std::string name;
  bool is_simple;
  std::unique_ptr<ForecastMethod> method;  // after the held-out rows
};

// the phase of a forecast made this many rows after the disturbance
std::size_t phase_of(std::ptrdiff_t row) { return row < 0 ? 0 : row < 24 ? 1 : row < 200 ? 2 : row < 600 ? 3 : 4; }

SharedForecastModel fit_model(const Dataset& data, const DataSplit& split, int horizon, bool guard) {
  FitOptions fit;
  fit.horizon = horizon;
  fit.split = split;
  fit.tune_metrics = false;
  fit.guard = guard;
  return ForecastFitter(fit).fit(data).value().model;
}

// fitted on the rows before the disturbance, which all kinds share
std::vector<Contender> prepare(const Dataset& data, const DataSplit& split, int horizon, bool with_simple) {
  std::vector<Contender> all;
  const SharedForecastModel ours = fit_model(data, split, horizon, true);
  const SharedForecastModel today = fit_model(data, split, horizon, false);
  all.push_back({"corrected", false, forecaster_method(ours, {})});
  all.push_back({"today", false, forecaster_method(today, {})});
  if (!with_simple) return all;
  all.push_back({"frozen", true, forecaster_method(ours, {.adapt = false})});
  all.push_back({"frozen, unguarded", true, forecaster_method(today, {.adapt = false})});
  const std::vector<SeriesUnits> units = series_units(*ours);
  const auto add = [&](const char* name, std::unique_ptr<Baseline> baseline) {
    auto method = in_units(std::move(baseline), 1, horizon, units);
    observe_past(*method, data, split);
    all.push_back({name, true, std::move(method)});
  };
  const auto alone = [&](std::unique_ptr<Univariate> one) {
    std::vector<std::unique_ptr<Univariate>> targets;
    targets.push_back(std::move(one));
    return each_target(std::move(targets), horizon);
  };
  add("persistence", alone(persistence()));
  add("seasonal naive", alone(seasonal_naive(kRowsPerDay)));
  add("smoothing", choose_each_target(smoothing_candidates(kRowsPerDay), data, split, units, horizon));
  add("recursive least squares", lag_regression(1, horizon));
  return all;
}

// mean squared errors by phase
class PhaseErrors {
 public:
  PhaseErrors(const RoughStream& stream, int horizon, double deviation)
      : stream_(stream), horizon_(static_cast<std::size_t>(horizon)), deviation_(deviation) {}

  void add(std::size_t row, std::span<const double> forecast) {
    const Series& s = stream_.data.series.front();
    const bool is_before = row < stream_.at;
    for (std::size_t h = 1; h <= horizon_ && row + h < s.rows(); ++h) {
      if (stream_.faulty[row + h] || (is_before && row + h >= stream_.at)) continue;
      const double error = (s.values[row + h] - forecast[h - 1]) / deviation_ / stream_.gain[row + h];
      const std::size_t phase = phase_of(static_cast<std::ptrdiff_t>(row) - static_cast<std::ptrdiff_t>(stream_.at));
      sums_[phase] += error * error;
      counts_[phase] += 1;
    }
  }
  double from_24() const { return (sums_[2] + sums_[3] + sums_[4]) / (counts_[2] + counts_[3] + counts_[4]); }
  std::array<double, kPhases.size()> means() const {
    std::array<double, kPhases.size()> means{};
    for (std::size_t i = 0; i < means.size(); ++i) means[i] = counts_[i] > 0 ? sums_[i] / counts_[i] : NAN;
    return means;
  }

 private:
  const RoughStream& stream_;
  std::size_t horizon_;
  double deviation_;
  std::array<double, kPhases.size()> sums_{}, counts_{};
};

void judge(const ForecastMethod& prepared, const RoughStream& stream, std::size_t first, double deviation,
           RoughResult& result) {
  const std::unique_ptr<ForecastMethod> method = prepared.clone();
  const Series& s = stream.data.series.front();
  PhaseErrors errors(stream, result.horizon, deviation);
  for (std::size_t r = first; r + static_cast<std::size_t>(result.horizon) < s.rows(); ++r) {
    method->observe(s.ticks[r], s.row(r));
    errors.add(r, method->forecast());
  }
  result.error = errors.means();
  result.from_24 = errors.from_24();
}

void find_best_simple(const std::vector<Contender>& contenders, std::span<RoughResult> results) {
  double least_from_24 = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (contenders[i].is_simple) least_from_24 = std::fmin(least_from_24, results[i].from_24);
  }
  for (RoughResult& result : results) result.best_simple_from_24 = least_from_24;
  for (std::size_t phase = 0; phase < kPhases.size(); ++phase) {
    double least = std::numeric_limits<double>::infinity();
    std::string best;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!contenders[i].is_simple || !(results[i].error[phase] < least)) continue;
      least = results[i].error[phase];
      best = contenders[i].name;
    }
    for (RoughResult& result : results) {
      result.best_simple[phase] = best;
      result.best_simple_error[phase] = least;
    }
  }
}

double deviation_of(const Series& s, std::size_t rows) {
  double mean = 0, squares = 0;
  for (std::size_t r = 0; r < rows; ++r) mean += s.values[r] / static_cast<double>(rows);
  for (std::size_t r = 0; r < rows; ++r) squares += (s.values[r] - mean) * (s.values[r] - mean);
  return std::sqrt(squares / static_cast<double>(rows));
}

}  // namespace

std::vector<RoughKind> all_rough_kinds() {
  return {{Rough::none, 0},           {Rough::spike, 10},  {Rough::spike, 30},  {Rough::spike, 100},
          {Rough::two_spikes, 30},    {Rough::burst, 10},  {Rough::burst, 1e5}, {Rough::long_burst, 1e5},
          {Rough::jump, 3},           {Rough::jump, 10},   {Rough::unit, 1e3},  {Rough::unit, 1e-3},
          {Rough::gain, 1.5},         {Rough::stuck, 100}, {Rough::gap, 100},   {Rough::season_shift, 6},
          {Rough::season_change, 32}, {Rough::noise, 2}};
}

std::vector<RoughResult> compare_on_rough_streams(const RoughComparisonOptions& options) {
  std::vector<RoughResult> all;
  const double total = static_cast<double>(options.families.size() * options.horizons.size()) * options.seeds;
  double done = 0;
  for (const Family family : options.families) {
    for (int n = 0; n < options.seeds; ++n) {
      RoughOptions o;
      o.family = family;
      o.seed = options.first_seed + static_cast<std::uint64_t>(n);
      const Dataset calm = rough_stream(o).data;
      const DataSplit split{{static_cast<double>(o.learn)}, {static_cast<double>(o.held_out)}};
      for (const int horizon : options.horizons) {
        options.progress(done++ / total, std::string(name(family)) + ", seed " + std::to_string(o.seed));
        const std::vector<Contender> contenders = prepare(calm, split, horizon, options.with_simple);
        const double deviation = deviation_of(calm.series.front(), o.learn);
        for (const RoughKind& kind : options.kinds) {
          o.kind = kind;
          const RoughStream stream = rough_stream(o);
          const std::size_t first = all.size();
          for (const Contender& c : contenders) {
            RoughResult& result = all.emplace_back();
            result.kind = kind;
            result.family = family;
            result.seed = o.seed;
            result.horizon = horizon;
            result.method = c.name;
            judge(*c.method, stream, o.learn + o.held_out, deviation, result);
          }
          find_best_simple(contenders, std::span(all).subspan(first));
        }
      }
    }
  }
  return all;
}

}  // namespace elastane::series
