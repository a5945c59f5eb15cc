// Processes of this program that train together on this machine.
#pragma once

#include <string>
#include <vector>

namespace elastane::lab {

// Starts `ranks` copies of this program with the given arguments, each with its --rank and a --rendezvous. When one
// fails, the others get ten seconds to end. Returns the exit code of the first that failed, else 0.
int run_local_ranks(int ranks, std::vector<std::string> arguments);

}  // namespace elastane::lab
