// How the cost of a correction grows with the latent, while everything else stays the same.
#pragma once

#include "bench/bench.h"

namespace elastane::bench {

// sketch and conjugate_gradient at r = 8, H = 1; steps of each case, 0 for about a third of a second
void bench_correction_scaling(int steps, Json& rows);

}  // namespace elastane::bench
