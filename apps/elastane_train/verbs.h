// The verbs that need LibTorch, one file each. A verb throws what the user should read; main prints it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace elastane::app {

// ends the program with this code; what there is to say has been said
struct ExitCode {
  int code;
};

void add_train(CLI::App& app, const std::vector<std::string>& arguments);
void add_bench_scan(CLI::App& app);

}  // namespace elastane::app
