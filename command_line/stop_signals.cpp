#include "command_line/stop_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <stdexcept>

namespace elastane::app {
namespace {

std::atomic<int> caught_signal = 0;
int wake[2] = {-1, -1};  // a pipe; a signal writes to it, so that none can slip in before a wait begins

void catch_signal(int signal) {
  const int error = errno;
  caught_signal = signal;
  [[maybe_unused]] const auto written = ::write(wake[1], "", 1);
  errno = error;
}

}  // namespace

StopSignals::StopSignals() {
  caught_signal = 0;
  if (::pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) throw std::runtime_error("[run] cannot make a pipe");
  struct sigaction action = {};
  action.sa_handler = catch_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  ::close(wake[0]);
  ::close(wake[1]);
}

int StopSignals::caught() const { return caught_signal; }
int StopSignals::descriptor() const { return wake[0]; }

}  // namespace elastane::app
