// Runs a benchmark on several threads: every agent on the same episodes, except those that the journal already has.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/benchmark/benchmark.h"
#include "lab/benchmark/journal.h"

namespace elastane::benchmark {

struct RunOptions {
  std::vector<int> agents;  // indices for Benchmark::player
  std::uint64_t first_seed = 1;
  int seeds = 5, episodes = 256;  // of each seed
  int block = 16;                 // episodes that are journalled together
  int threads = 1;
};

// all outcomes of one agent
struct Record {
  AgentCard card;
  std::vector<Outcome> outcomes;  // [seed][episode]; the same episodes for every agent
  Latency latency;
};

struct Progress {
  int done = 0, missing = 0;  // blocks, of those the journal lacked at the start
  int kept = 0;               // blocks that the journal had
  std::string agent;          // of the last finished block
  std::uint64_t seed = 0;
};

const AgentCard& card_of(const Benchmark& benchmark, int agent);

// Blocks of all agents alternate, so that other load on the machine affects all of them. `stopped` ends the run after
// the current episodes; `watch` is called by one thread at a time, `stopped` by all.
Status play(const Benchmark& benchmark, const RunOptions& options, Journal& journal,
            const std::function<bool()>& stopped, const std::function<void(const Progress&)>& watch);

// the outcomes, if all episodes have been run
Result<std::vector<Record>> collect(const Benchmark& benchmark, const RunOptions& options, const Journal& journal);

}  // namespace elastane::benchmark
