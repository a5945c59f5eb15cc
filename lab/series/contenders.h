// Our own forecaster as methods that can be judged: frozen, and corrected in every metric.
#pragma once

#include <memory>

#include "elastane/core/forecast/forecaster.h"
#include "lab/series/method.h"

namespace elastane::series {

// As training left it, after the held-out rows. In long form it begins every series anew, with what was learned.
std::unique_ptr<Method> forecaster_method(const SharedForecastModel& model, ForecasterOptions options);

// the frozen forecast mixed with the last value, as the corrected ones are: what the mixture alone gives
std::unique_ptr<Method> frozen_hedged(const SharedForecastModel& model);

}  // namespace elastane::series
