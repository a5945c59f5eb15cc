// Finds the season of a data set.
#pragma once

#include <vector>

#include "elastane/forecast/dataset.h"

namespace elastane {

// The season in rows, from the times of the rows or else from the values to learn from; 0: there is none.
double find_season(const Dataset& data, const DataSplit& split);

// Other seasons that the values show, by their autocorrelation and then by their spectrum: at most three, none close to
// `known`. They are candidates, for held-out rows to choose from.
std::vector<double> season_candidates(const Dataset& data, const DataSplit& split, double known);

}  // namespace elastane
