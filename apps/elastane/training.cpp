// elastane train, elastane bench scan: verbs of elastane-train, which lies beside this program and needs LibTorch; all
// but `train series`, which does not.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "apps/elastane/verbs.h"

namespace elastane::app {

void add_train(CLI::App& app, const std::string& command) {
  CLI::App* train = app.add_subcommand("train", "Learn a model: for a world, or for a table of numbers");
  add_train_series(*train, command);
}

void start_training(int count, char** arguments) {
  const auto is = [&](int i, std::string_view word) { return i < count && word == arguments[i]; };
  std::vector<char*> given(arguments, arguments + count);
  given.push_back(nullptr);
  std::string bench_scan = "bench-scan";
  if (is(1, "bench") && is(2, "scan")) {
    given.erase(given.begin() + 1);
    given[1] = bench_scan.data();
  } else if (!is(1, "train") || is(2, "series")) {
    return;
  }
  const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "elastane-train";
  ::execv(program.c_str(), given.data());
  throw std::runtime_error(fmt::format("[train] needs {}, which could not be started ({}); ./dev build builds it",
                                       program.string(), std::strerror(errno)));
}

}  // namespace elastane::app
