// Corrected streams together and one after the other: a part of `elastane bench correct`.
#pragma once

#include "bench/bench.h"

namespace elastane::bench {

void bench_corrected_fleet(int wanted, Json& rows);  // `wanted` rounds; 0: about a second for each size

}  // namespace elastane::bench
