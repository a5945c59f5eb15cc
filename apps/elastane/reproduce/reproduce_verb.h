// elastane reproduce: the tables of papers and experiments, by name.
#pragma once

#include "command_line/options.h"

namespace elastane::app {

void add_reproduce(command_line::Command& program);

}  // namespace elastane::app
