// The verbs that need LibTorch, one file each. A verb throws what the user should read; main prints it.
#pragma once

#include <CLI/CLI.hpp>

namespace elastane::app {

void add_train(CLI::App& app);
void add_bench_scan(CLI::App& app);

}  // namespace elastane::app
