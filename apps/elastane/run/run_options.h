// The options of `elastane run`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "elastane/forecast/row_stream.h"

namespace elastane::app {

struct RunOptions {
  std::string model;
  std::string input = "-";  // "-": standard input
  std::string input_format = "auto", metric = "kalman";
  RowFormat output_format = RowFormat::jsonl;
  RowStreamOptions stream;
  double budget = 0;  // µs per row; 0: no limit
  bool no_correction = false, quiet = false;
  std::string snapshot;
  std::uint64_t every = 1000;
  bool resume = false, replayed = false;
};

void add_run_options(CLI::App& verb, RunOptions& options);
void complete(RunOptions& options);  // fills in what follows from the options; throws if they do not fit together

}  // namespace elastane::app
