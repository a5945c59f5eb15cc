// Small recurrent models against a plain loop: a part of `elastane bench step`.
#pragma once

#include "bench/bench.h"

namespace elastane::bench {

void bench_small_steps(int wanted, Json& rows);  // `wanted` steps for each model; 0: about a second in all

}  // namespace elastane::bench
