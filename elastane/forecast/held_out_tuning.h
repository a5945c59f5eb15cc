// Settings of the metrics, chosen on the held-out rows: each from a grid of the same length, so that none is favoured.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/series/fit.h"

namespace elastane::series {

// `learned`: a model whose start is the end of the rows to learn from
struct Tuning {
  const Dataset& data;
  const Split& split;
  const ForecastModel& learned;
  std::function<void(const std::string& doing)> took;  // one pass over the held-out rows
};

// the error of a stream on the held-out rows
double held_out_error(const Tuning& tuning, const ForecastConfig& config, const ForecasterOptions& options);

// gradient_rate, damping and inflation of `config`; what was tried is appended
void tune_metrics(const Tuning& tuning, ForecastConfig& config, std::vector<Trial>& trials);

// the highest price of a micro-step that costs at most 1 % of the held-out error; 0: none
double choose_price(const Tuning& tuning, const ForecastConfig& config);

std::size_t metric_passes();  // over the held-out rows

}  // namespace elastane::series
