// Evaluates a fitted forecaster on rows that it has not seen.
//
//   const auto score = elastane::evaluate_forecaster(fit.model, data, fitter.options().split);
//   std::printf("mean squared error %g, coverage %g\n", score->mse, score->coverage);
#pragma once

#include <cstddef>
#include <vector>

#include "elastane/core/forecast/forecaster.h"
#include "elastane/forecast/dataset.h"

namespace elastane {

struct ForecastEvaluation {
  double mse = 0, mae = 0;          // in units of the rows to learn from, mean over series
  double coverage = 0;              // share of labels inside their intervals, mean over series
  double width = 0;                 // mean width of the intervals, in units of the rows to learn from
  double pinball = 0;               // mean loss of the bounds and the forecast as quantiles
  double crps = 0;                  // twice that: the continuous ranked probability score of three quantiles
  double mase = 0;                  // absolute error over that of the seasonal naive forecast on the rows to learn from
  std::vector<double> mse_by_step;  // of each step of the horizon
  std::vector<double> mse_by_window;  // of each part of the test rows; series together
  // microseconds per row: median, 99th percentile, and the latter in the first and the last tenth of the rows
  double p50_us = 0, p99_us = 0, p99_first_tenth_us = 0, p99_last_tenth_us = 0;
  double depth = 0;      // micro-steps per row
  double alarms = 0;     // drift alarms per 10,000 rows
  std::size_t rows = 0;  // test rows
};

// Streams over the test rows of `split`, row by row, from where fitting ended: a forecast of t + 1 … t + H knows rows up
// to t and no others. `data` and `split` are those of the fit. Fails if no test row has a label.
Result<ForecastEvaluation> evaluate_forecaster(const SharedForecastModel& model, const Dataset& data,
                                               const DataSplit& split, const ForecasterOptions& options = {});

}  // namespace elastane
