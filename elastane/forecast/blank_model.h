// A forecaster that has learned nothing yet: units of its channels, and which channels each target looks at.
#pragma once

#include <vector>

#include "lab/series/series.h"

namespace elastane::series {

// features are not scaled yet, read-outs are zero
ForecastModel blank_model(const Dataset& data, const std::vector<Ends>& ends, const ForecastConfig& config);

}  // namespace elastane::series
