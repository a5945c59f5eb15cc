// `elastane bench scan`: the scans of training, timed against LibTorch's operations.
#pragma once

#include "command_line/options.h"

namespace elastane::bench {

void add_bench_scan(command_line::Command& program);

}  // namespace elastane::bench
