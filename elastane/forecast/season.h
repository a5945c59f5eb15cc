// Finds the season of a data set.
#pragma once

#include "elastane/forecast/dataset.h"

namespace elastane {

// The season in rows, from the times of the rows or else from the values to learn from; 0: there is none.
double find_season(const Dataset& data, const DataSplit& split);

}  // namespace elastane
