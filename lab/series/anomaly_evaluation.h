// How well the alarms of a forecaster tell what goes wrong: on rough streams, whose truth is known, and on labelled tables.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "elastane/core/forecast/forecaster_options.h"
#include "elastane/forecast/fitter.h"
#include "lab/series/anomaly_score.h"
#include "lab/series/rough_streams.h"

namespace elastane::series {

// what alarms say of each test row of a series
struct AlarmedRows {
  std::vector<bool> unusual, drift, stuck, any;
};

// streams over the test rows of `split`, from where fitting ended
AlarmedRows watch_rows(const SharedForecastModel& model, const Dataset& data, const DataSplit& split,
                       const ForecasterOptions& options);

struct AnomalyCell {
  RoughKind kind;
  std::uint64_t seed = 0;
  int streams = 0;                   // one of each family
  double false_alarms_per_1000 = 0;  // of the rows before the disturbance, or of all rows if there is none
  double recall = 0;                 // share of the streams with an alarm in time
  double median_delay = 0;           // rows; NaN: none was found
};

struct AnomalyEvaluationOptions {
  std::vector<Family> families;
  std::uint64_t first_seed = 201;
  int seeds = 5;
  double rate = 1e-3;        // stated, per row
  std::size_t calm = 4'096;  // rows after the held-out ones of a stream without a disturbance
  std::function<void(double share, const std::string& doing)> progress = [](double, const std::string&) {};
};

// one cell for every kind and seed
std::vector<AnomalyCell> evaluate_anomalies(const AnomalyEvaluationOptions& options);
std::vector<AnomalyCell> totals(const std::vector<AnomalyCell>& cells);  // over seeds, by kind; the seed is 0

std::size_t rows_in_time(const RoughKind& kind);  // within which an alarm counts as detection

}  // namespace elastane::series
