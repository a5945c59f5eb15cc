// elastane run with a network: every row is one step, its outputs are one line.
#pragma once

#include "apps/elastane/run/run_options.h"
#include "command_line/options.h"

namespace elastane::app {

// the exit code; throws if an option was given that is only for forecasters
int run_network(const RunOptions& options, const command_line::Command& verb);

}  // namespace elastane::app
