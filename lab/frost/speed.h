// What an iteration takes, and what rows of different depth save a fleet.
#pragma once

#include "lab/benchmark/depth_rows.h"

namespace elastane::frost {

// p50 of one iteration of a flat recursion of this width, one stream: the difference between two depths
benchmark::DepthRow time_iteration(int width);

// A fleet in which streams need different depths: time per step at full depth over time with certificates, beside
// depth / mean depth. `accuracy` of the row is the first over the second; a larger constant needs more depth
benchmark::DepthRow time_fleet(int width, int streams, double lipschitz);

}  // namespace elastane::frost
