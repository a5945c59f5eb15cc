// The options of `elastane run`.
#pragma once

#include <string>

#include "apps/elastane/run/learning_options.h"
#include "command_line/options.h"
#include "elastane/forecast/row_stream.h"

namespace elastane::app {

struct RunOptions {
  std::string model;
  std::string input = "-";  // "-": standard input
  // by their words on the command line; `complete` translates them
  std::string input_format = "auto", output_format = "jsonl", start = "auto", time_format = "auto";
  LearningOptions learning;
  double budget = 0;        // µs per row; 0: no limit
  double false_alarms = 1;  // per 1,000 rows
  bool quiet = false;
  std::string snapshot, page;  // page: HTML
  std::uint64_t every = 1000;
  bool resume = false, replayed = false;
  RowStreamOptions stream;

  RowFormat lines() const { return output_format == "csv" ? RowFormat::csv : RowFormat::jsonl; }
};

void add_run_options(command_line::Command& verb, RunOptions& options);
void complete(RunOptions& options);  // fills in what follows from the options; throws if they do not fit together

}  // namespace elastane::app
