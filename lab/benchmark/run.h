// Plays a benchmark on some threads: every agent on the same episodes, what the journal has already is not played again.
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
  std::vector<int> agents;  // as Benchmark::player counts them
  std::uint64_t first_seed = 1;
  int seeds = 5, episodes = 256;  // of each seed
  int block = 16;                 // episodes that are journalled together, and lost together
  int threads = 1;
};

// all that one agent did
struct Record {
  AgentCard card;
  std::vector<Outcome> outcomes;  // [seed][episode]; the same episodes for every agent
  Latency latency;
};

struct Progress {
  int done = 0, missing = 0;  // blocks, of those that were missing at the start
  int kept = 0;               // blocks that the journal had
  std::string agent;          // the last one that finished a block
  std::uint64_t seed = 0;
};

const AgentCard& card_of(const Benchmark& benchmark, int agent);

// Blocks of all agents take turns, so that a busy minute of the machine is not one agent's fate. `stopped` ends it
// after the episodes that are being played; `watch` is called by one thread at a time, `stopped` by all.
Status play(const Benchmark& benchmark, const RunOptions& options, Journal& journal,
            const std::function<bool()>& stopped, const std::function<void(const Progress&)>& watch);

// what was played, if all of it was
Result<std::vector<Record>> collect(const Benchmark& benchmark, const RunOptions& options, const Journal& journal);

}  // namespace elastane::benchmark
