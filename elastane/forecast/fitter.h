// Fits a forecaster to the past, from a table or a data set.
//
//   const elastane::ForecastFitter fitter({.horizon = 24});
//   const auto fit = fitter.fit(table, {.targets = {"load"}});
//   elastane::Forecaster forecaster(fit->model, {.warm = true});
//
// Features are scaled and read-outs are learned on the rows to learn from. Settings are chosen on the held-out rows
// after them, by the error that a stream makes there. Learning is the forecaster itself, row by row from a flat prior,
// which is ridge regression with forgetting. So nothing is random, and the result continues to learn in a stream without
// a seam.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "elastane/forecast/dataset.h"

namespace elastane {

struct FitOptions {
  int horizon = 1;               // rows ahead
  DataSplit split;               // of each series
  bool choose = true;            // choose seasons, priors and forgetting on the held-out rows; false: defaults
  bool tune_metrics = true;      // and the settings of the metrics other than kalman
  bool find_price = false;       // and the price of a micro-step, for streams with a gate
  std::vector<double> periods;   // seasons in rows; empty: found in the data
  bool seasonless = false;       // do not look for a season
  std::vector<double> calendar;  // rows of a day, a week or a year, whose positions become features
  bool guard = true;             // hold values that cannot be explained until later rows confirm them
  // called with the share of the work that is done, and what is being done
  std::function<void(double share, const std::string& doing)> progress = [](double, const std::string&) {};
};

// a setting that was tried, and its error on the held-out rows
struct FitTrial {
  std::string what;
  double squared = 0;      // mean squared error
  bool taken = false;      // it became part of the model
  bool of_metric = false;  // a setting of one metric, not of the forecaster
};

struct ForecastFit {
  SharedForecastModel model;
  std::vector<FitTrial> trials;
  // mean squared errors on the held-out rows: adapting, frozen, and the last value repeated
  double held_out_squared = 0, held_out_frozen = 0, held_out_persistence = 0;
  std::size_t learned = 0, held_out = 0;  // rows
  double price = 0;                       // highest price of a micro-step that costs little accuracy; 0: none found
};

class ForecastFitter {
 public:
  explicit ForecastFitter(FitOptions options = {}) : options_(std::move(options)) {}

  // fails if there are too few rows to learn from or to choose by
  Result<ForecastFit> fit(const Dataset& data) const;
  Result<ForecastFit> fit(const Table& table, const ColumnNames& columns = {}) const;

  const FitOptions& options() const { return options_; }

 private:
  FitOptions options_;
};

}  // namespace elastane
