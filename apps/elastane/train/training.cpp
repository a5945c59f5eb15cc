// elastane train, elastane bench scan: verbs of elastane-train, which lies beside this program and needs LibTorch; all
// but `train series`, which does not.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "apps/elastane/verbs.h"
#include "command_line/messages.h"

namespace elastane::app {
namespace {

std::string training_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "elastane-train";
}

// returns only to throw
[[noreturn]] void become_training(const std::vector<char*>& arguments) {
  const std::string program = training_program();
  // so that waiting threads of OpenMP sleep; the library reads this when it is loaded (apps/elastane_train/main.cpp)
  if (::getenv("OMP_WAIT_POLICY") == nullptr) ::setenv("GOMP_SPINCOUNT", "10000", 0);
  ::execv(program.c_str(), arguments.data());
  throw std::runtime_error(fmt::format("[train] needs {}, which could not be started ({}); ./dev build builds it",
                                       program, std::strerror(errno)));
}

}  // namespace

void add_train(command_line::Command& program, const std::string& command) {
  add_train_series(program.command("train", "Train a model: for a world, or for a table of numbers"), command);
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
  become_training(given);
}

void call_training(std::vector<std::string> arguments) {
  const std::string shown = fmt::format("elastane {}", fmt::join(arguments, " "));
  command_line::print_stderr("{}\n", shown);
  arguments.insert(arguments.begin(), "elastane");
  std::vector<char*> given;
  for (std::string& argument : arguments) given.push_back(argument.data());
  given.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error(fmt::format("[train] cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    try {
      become_training(given);
    } catch (const std::exception& error) {
      command_line::print_stderr("elastane: {}\n", error.what());
      ::_exit(1);
    }
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(fmt::format("[train] {}: expected an end with exit code 0, found {}", shown,
                                         WIFEXITED(status) ? fmt::format("{}", WEXITSTATUS(status)) : "a signal"));
  }
}

}  // namespace elastane::app
