// The table of a benchmark: runs every agent on the same episodes, then prints and writes the tables.
//
//   ReproduceOptions options;
//   declare(command, options);                        what `elastane reproduce NAME` takes
//   return reproduce(*benchmark, options);            its exit code
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command_line/options.h"
#include "lab/benchmark/findings.h"

namespace elastane::benchmark {

inline constexpr int kEpisodes = 256;  // of each seed, unless asked otherwise

struct ReproduceOptions {
  std::vector<std::string> agents;  // all, if none is named
  bool grid = false;                // the budget grid instead of the agents
  std::uint64_t first_seed = 1;
  int seeds = 5, threads = 2;
  int episodes = 0;            // of each seed; 0: kEpisodes
  std::string json, markdown;  // files to write; empty: none
  std::string journal;         // empty: nothing is kept
  bool fresh = false;          // an old journal is removed first
  std::string command;         // the command line, for the record
};

// seeds, episodes, threads, journal and files; the caller declares agents. `episodes` is the default that the help shows
void declare(command_line::Command& command, ReproduceOptions& options, const std::string& episodes = "256");
// a journal that was not named is reproduce-NAME.jsonl; "none" is none
void choose_journal(const std::string& name, ReproduceOptions& options);

struct ReproducedTables {
  int signal = 0;  // that ended the run; then there is nothing else
  std::vector<Record> records;
  std::vector<Row> rows;
  std::vector<Finding> findings;
  std::string text;
};
// runs the episodes that the journal does not have
ReproducedTables reproduce_tables(const Benchmark& benchmark, const ReproduceOptions& options);

// runs the episodes that the journal does not have, prints the tables and writes the files; the exit code: 0, or a
// signal's
int reproduce(const Benchmark& benchmark, const ReproduceOptions& options);

void write_text(const std::string& path, const std::string& text);  // does nothing if the path is empty

}  // namespace elastane::benchmark
