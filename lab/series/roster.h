// The methods that are compared: baselines, and our forecaster frozen and corrected in every metric.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elastane/forecast/fitter.h"
#include "elastane/forecast/forecast_method.h"

namespace elastane::series {

// a method of the table, made when its turn comes
struct RosterEntry {
  std::string method, metric;
  std::function<std::unique_ptr<ForecastMethod>()> make;  // after the last held-out row
};
std::vector<RosterEntry> roster(const Dataset& data, const FitOptions& options, const ForecastFit& fit);

// The frozen forecast mixed with the last value, as the corrected forecasts are: what the mixture alone contributes.
std::unique_ptr<ForecastMethod> frozen_hedged(const SharedForecastModel& model);

}  // namespace elastane::series
