// How the cost of a correction grows with the latent, where all else stays as it is.
#pragma once

#include "bench/bench.h"

namespace elastane::app {

// sketch and conjugate_gradient at r = 8, H = 1; steps of each case, 0 for about a third of a second
void bench_correction_scaling(int steps, Json& rows);

}  // namespace elastane::app
