// elastane reproduce: the paper's table of a world, every agent on the same episodes.
//
//   reproduce(*benchmark, options)        one world: its tables
//   reproduce_esm(models, options)      the poster of Elastic State Models: mazes and protein loops in one table
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/benchmark/findings.h"

namespace elastane::app {

struct ReproduceOptions {
  std::vector<std::string> agents;  // all, if none is named
  bool grid = false;                // the budget grid instead of the agents
  std::uint64_t first_seed = 1;
  int seeds = 5, threads = 2;
  int episodes = 0;  // of each seed; 0: as many as there usually are
  std::string json, markdown;
  std::string figure;   // esm: success against compute
  std::string journal;  // none: nothing is kept
  bool fresh = false;   // an old journal goes
  std::string command;  // for the record
};
inline constexpr int kEpisodes = 256;  // of each seed, unless somebody says otherwise

// what came out of a benchmark, and how it reads
struct Judged {
  int signal = 0;  // that ended it; then there is nothing else
  std::vector<benchmark::Record> records;
  std::vector<benchmark::Row> rows;
  std::vector<benchmark::Finding> found;
  std::string tables;
};
// plays what the journal lacks
Judged judge(const benchmark::Benchmark& benchmark, const ReproduceOptions& options);

// plays what the journal lacks, prints the tables and writes the files; the exit code: 0, or a signal's
int reproduce(const benchmark::Benchmark& benchmark, const ReproduceOptions& options);

// the same for all worlds of the poster, with a journal for each of them; `options.agents` and `grid` are not used
int reproduce_esm(const std::string& models, const ReproduceOptions& options);

void write_text(const std::string& path, const std::string& text);  // nowhere, if the path is empty

}  // namespace elastane::app
