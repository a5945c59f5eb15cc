// A forecast model before it has learned: units of its channels, and which channels each target uses.
#pragma once

#include <vector>

#include "elastane/forecast/dataset.h"

namespace elastane {

// features are not scaled yet, read-outs are zero
ForecastModel blank_model(const Dataset& data, const std::vector<SplitEnds>& ends, const ForecastConfig& config);

}  // namespace elastane
