// elastane reproduce: the paper's table of a world, every agent on the same episodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elastane/worlds/contest/contest.h"

namespace elastane::app {

struct ReproduceOptions {
  std::vector<std::string> agents;  // all, if none is named
  bool grid = false;                // the budget grid instead of the agents
  std::uint64_t first_seed = 1;
  int seeds = 5, episodes = 256, threads = 2;
  std::string json, markdown;
  std::string journal;  // none: nothing is kept
  bool fresh = false;   // an old journal goes
  std::string command;  // for the record
};

// plays what the journal lacks, prints the tables and writes the files; the exit code: 0, or a signal's
int reproduce(const contest::Contest& contest, const ReproduceOptions& options);

}  // namespace elastane::app
