// Learns a forecaster from the past: features are scaled and read-outs learned on the rows to learn from, and what must
// be chosen is chosen on the held-out rows after them, by the error that a stream makes there.
//
// Learning is the forecaster itself, row by row from a flat prior, which is ridge regression with forgetting; so there
// is nothing random in it, and what comes out goes on learning in a stream without a seam.
#pragma once

#include <functional>
#include <string>

#include "elastane/core/forecast/forecaster.h"
#include "lab/series/series.h"

namespace elastane::series {

struct FitOptions {
  int horizon = 1;
  Split split;
  bool choose = true;           // try seasons, priors and forgetting on the held-out rows; else defaults
  bool tune_metrics = true;     // … and the settings of other metrics than kalman
  bool find_price = false;      // … and what a gated stream asks of a micro-step
  std::vector<double> periods;  // rows of a season; none: found in the data
  bool seasonless = false;      // … but do not look for one
  // of all rows to be seen, how many were; what is being done
  std::function<void(double share, const std::string& doing)> progress = [](double, const std::string&) {};
};

// what was tried, and its error on the held-out rows
struct Trial {
  std::string what;
  double squared = 0;
  bool taken = false;
  bool of_metric = false;  // a setting of one metric, not of the forecaster
};

struct Fit {
  ForecastModel model;
  std::vector<Trial> trials;
  double held_out_squared = 0, held_out_frozen = 0, held_out_persistence = 0;
  std::size_t learned = 0, held_out = 0;  // rows
  double price = 0;                       // of a micro-step that a gated stream may ask at little loss; 0: none found
};

// throws, with a message for the user, if there is nothing to learn from
Fit fit(const Dataset& data, const FitOptions& options);

// rows of a season, as the times of rows or the values themselves say; 0: none
double find_season(const Dataset& data, const Split& split);

}  // namespace elastane::series
