// Baselines to compare with, each as good as its kind can be: their settings are chosen on the held-out rows.
//
//   persistence      the last value, repeated
//   seasonal naive   the value of one season ago
//   smoothing        exponential: level, damped trend, season; gains chosen for every target
//   lag regression   recursive least squares on 96 lags and a bias, shared by the channels
//   kalman           an autoregression whose weights are a random walk; lags and walk chosen for every target
//
// A baseline works in units of the training rows, with one row per tick. `in_units` turns it into a forecasting method with
// the same kind of intervals as our forecasts, so that coverage can be compared.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "elastane/core/forecast/interval.h"
#include "elastane/forecast/forecast_method.h"

namespace elastane::series {

class Baseline {
 public:
  virtual ~Baseline() = default;
  virtual std::unique_ptr<Baseline> clone() const = 0;
  virtual void forget_rows() = 0;                      // what was learned stays
  virtual void follow(std::span<const double> x) = 0;  // [targets], NaN where missing
  virtual void forecast(std::span<double> y) = 0;      // [targets][horizon]
};

// the same for one target alone
class Univariate {
 public:
  virtual ~Univariate() = default;
  virtual std::unique_ptr<Univariate> clone() const = 0;
  virtual void forget_rows() = 0;
  virtual void follow(double x) = 0;  // NaN: missing
  virtual void forecast(std::span<double> y) = 0;
};

std::unique_ptr<Univariate> persistence();
std::unique_ptr<Univariate> seasonal_naive(int season);  // rows

struct SmoothingOptions {
  double level = 0.5, trend = 0, damping = 1, season = 0;  // gains; damping of the trend per row
  int period = 0;                                          // season in rows; 0: none
};
std::unique_ptr<Univariate> smoothing(const SmoothingOptions& options);

struct AutoregressionOptions {
  int lags = 24;
  double walk = 0;   // variance that every weight gains per row, in units of the noise
  double prior = 1;  // variance of a weight before the first row
};
std::unique_ptr<Univariate> kalman_autoregression(const AutoregressionOptions& options);

struct LagRegressionOptions {
  int lags = 96;
  double forgetting = 0.9999;  // per row
  double prior = 1;
};
std::unique_ptr<Baseline> lag_regression(int targets, int horizon, const LagRegressionOptions& options = {});

// settings to choose from
std::vector<std::unique_ptr<Univariate>> smoothing_candidates(int season);  // 0: none
std::vector<std::unique_ptr<Univariate>> autoregression_candidates();

// treats every target alone
std::unique_ptr<Baseline> each_target(std::vector<std::unique_ptr<Univariate>> targets, int horizon);

std::unique_ptr<ForecastMethod> in_units(std::unique_ptr<Baseline> baseline, int targets, int horizon,
                                         std::vector<SeriesUnits> units, const IntervalOptions& interval = {});

// for every target the candidate with the least squared error on the held-out rows, before its first row
std::unique_ptr<Baseline> choose_each_target(std::vector<std::unique_ptr<Univariate>> candidates, const Dataset& data,
                                             const DataSplit& split, const std::vector<SeriesUnits>& units,
                                             int horizon);

// lets a method observe all rows of all series before the test
void observe_past(ForecastMethod& method, const Dataset& data, const DataSplit& split);

}  // namespace elastane::series
