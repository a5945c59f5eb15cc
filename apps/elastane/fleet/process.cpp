#include "apps/elastane/fleet/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

extern char** environ;

namespace elastane::app {

Process::Process(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  const int error = ::posix_spawnp(&pid_, words[0], &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    pid_ = -1;
    throw std::runtime_error("[fleet] " + command[0] + ": cannot start: " + std::strerror(error));
  }
}

Process::Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, -1)), code_(other.code_) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(code_, other.code_);
  return *this;
}

Process::~Process() { kill(); }

bool Process::is_running() {
  if (pid_ < 0) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
  code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  pid_ = -1;
  return false;
}

double Process::cpu_seconds() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
  std::string text;
  std::getline(file, text);
  // pid (name) state, then ten numbers, then the time in the program and the time in the kernel, in ticks
  std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string skipped;
  for (int i = 0; i < 11; ++i) rest >> skipped;
  double in_program = 0, in_kernel = 0;
  rest >> in_program >> in_kernel;
  return (in_program + in_kernel) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void Process::signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

void Process::kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  code_ = 128 + SIGKILL;
  pid_ = -1;
}

bool Process::stop(double seconds) {
  signal(SIGTERM);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (is_running()) {
    if (std::chrono::steady_clock::now() > end) return kill(), false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

}  // namespace elastane::app
