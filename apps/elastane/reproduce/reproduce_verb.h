// elastane reproduce: the tables of papers and experiments, by name.
#pragma once

#include <string>

#include "command_line/options.h"

namespace elastane::app {

void add_reproduce(command_line::Command& program, const std::string& command);  // the command line, for the record

}  // namespace elastane::app
