// What `elastane run` can be asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "apps/elastane/run/row_stream.h"

namespace elastane::app {

struct RunOptions {
  std::string model;
  std::string input = "-";  // the standard input
  std::string input_format = "auto", metric = "kalman";
  RowFormat output_format = RowFormat::jsonl;
  RowStreamOptions stream;
  double budget = 0;  // µs; 0: none
  bool no_correction = false, quiet = false;
  std::string snapshot;
  std::uint64_t every = 1000;
  bool resume = false, replayed = false;
};

void add_run_options(CLI::App& verb, RunOptions& options);
void complete(RunOptions& options);  // what follows from what was asked; throws if it makes no sense

}  // namespace elastane::app
