// Settings of the metrics, chosen on the held-out rows: each from a grid of the same length, so that none is favoured.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "elastane/core/forecast/forecaster.h"
#include "elastane/forecast/fitter.h"

namespace elastane {

// `learned`: a model whose start is the end of the rows to learn from
struct HeldOutTuning {
  const Dataset& data;
  const DataSplit& split;
  const ForecastModel& learned;
  std::function<void(const std::string& doing)> pass_done;  // called after each pass over the held-out rows
};

// mean squared error of a stream on the held-out rows
double held_out_error(const HeldOutTuning& tuning, const ForecastConfig& config, const ForecasterOptions& options);

// chooses gradient_rate, damping and inflation of `config`, and appends what was tried
void tune_metrics(const HeldOutTuning& tuning, ForecastConfig& config, std::vector<FitTrial>& trials);

// the highest price of a micro-step that raises the held-out error by at most 1 %; 0: none
double choose_price(const HeldOutTuning& tuning, const ForecastConfig& config);

std::size_t metric_passes();  // passes over the held-out rows that tune_metrics makes

}  // namespace elastane
