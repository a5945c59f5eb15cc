// Compares forecasting methods, ours and baselines, on the same rows of the same series: one table per run.
//
// Everything is learned on the rows to learn from, chosen on the held-out rows and evaluated on the test rows. When
// t + 1 … t + H are forecast, the newest known row is t. Errors are in units of the rows to learn from.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "elastane/forecast/fitter.h"
#include "elastane/forecast/forecast_method.h"
#include "lab/series/roster.h"

namespace elastane::series {

struct ComparisonOptions {
  FitOptions fit;                    // with the horizon
  std::vector<std::string> methods;  // names of the methods to compare; empty: all
  int windows = 1;                   // parts of the test rows whose errors are kept apart
  // called with the share of the work that is done, and what is being done
  std::function<void(double share, const std::string& doing)> progress = [](double, const std::string&) {};
};

// how well one method did
struct MethodResult {
  std::string method, metric;  // metric "": none
  ForecastEvaluation score;
};

struct Comparison {
  ForecastFit fit;
  std::vector<MethodResult> results;
};

// throws, with a message for the user, if the data do not suffice
Comparison compare_methods(const Dataset& data, const ComparisonOptions& options);

}  // namespace elastane::series
