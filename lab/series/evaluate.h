// One table of one run: forecasters of many kinds, ours among them, judged on the same rows of the same series.
//
// Everything is learned on the rows to learn from, chosen on the held-out rows, and judged on the test rows, where the
// newest label when t + 1 … t + H are forecast is row t. Errors are in units of the rows to learn from.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lab/series/fit.h"
#include "lab/series/method.h"

namespace elastane::series {

struct EvaluateOptions {
  FitOptions fit;                    // with the horizon
  std::vector<std::string> methods;  // by their names; none: all
  // of all that is to be done, how much is; what is being done
  std::function<void(double share, const std::string& doing)> progress = [](double, const std::string&) {};
  // every forecast as it is issued, for those who look for leaks
  std::function<void(const std::string& method, std::uint64_t tick, std::span<const double> forecast)> issued;
};

// how one method did
struct Judged {
  std::string method, metric;                                                    // metric "": none
  double mse = 0, mae = 0, coverage = 0;                                         // mean over series
  double p50_us = 0, p99_us = 0, p99_first_tenth_us = 0, p99_last_tenth_us = 0;  // of one row
  double depth = 0;                                                              // micro-steps a row
  double alarms = 0;                                                             // per 10,000 rows
  std::size_t rows = 0;                                                          // judged
};

struct Evaluation {
  Fit fit;
  std::vector<Judged> judged;
};

Evaluation evaluate(const Dataset& data, const EvaluateOptions& options);

// a method that is in the table, made when its turn comes
struct Entry {
  std::string method, metric;
  std::function<std::unique_ptr<Method>()> make;  // as it stands after the last held-out row
};
std::vector<Entry> entries(const Dataset& data, const FitOptions& options, const Fit& fit);

// one method on the test rows of all series
Judged judge(const Entry& entry, const Dataset& data, const Split& split, const ForecastModel& model,
             const EvaluateOptions& options);

}  // namespace elastane::series
