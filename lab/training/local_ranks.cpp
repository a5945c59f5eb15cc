#include "lab/training/local_ranks.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "command_line/messages.h"
#include "elastane/io/descriptor.h"

namespace elastane::lab {
namespace {

// a port that is free right now
int free_port() {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), plain, size) != 0 || ::getsockname(socket.get(), plain, &size) != 0) {
    throw std::runtime_error(fmt::format("[ranks] found no free port: {}", std::strerror(errno)));
  }
  return ntohs(address.sin_port);
}

pid_t start(const std::vector<std::string>& arguments) {
  std::vector<char*> plain;
  for (const std::string& argument : arguments) plain.push_back(const_cast<char*>(argument.c_str()));
  plain.push_back(nullptr);
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) throw std::runtime_error(fmt::format("[ranks] cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // end with the process that waits
    if (::getppid() != parent) ::_exit(1);
    std::signal(SIGINT, SIG_DFL);
    ::execv("/proc/self/exe", plain.data());
    ::_exit(127);
  }
  return child;
}

constexpr int kLost = 4, kInterrupted = 130;  // exit codes; see docs/howto/train.md

// a rank that was killed counts as lost
int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : kLost; }

}  // namespace

int run_local_ranks(int ranks, std::vector<std::string> arguments) {
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the ranks, which end themselves; this process waits for them
  arguments.insert(arguments.end(), {"--rendezvous", fmt::format("127.0.0.1:{}", free_port()), "--rank", ""});
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    arguments.back() = std::to_string(rank);
    children.push_back(start(arguments));
  }
  using Clock = std::chrono::steady_clock;
  int code = 0;
  Clock::time_point deadline = Clock::time_point::max();
  for (std::size_t running = children.size(); running > 0;) {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, WNOHANG);
    if (ended > 0) {
      --running;
      std::erase(children, ended);
      const int found = code_of(status);
      if (found != 0 && found != kInterrupted) deadline = std::min(deadline, Clock::now() + std::chrono::seconds(10));
      // that a rank was lost is the consequence of another failure, whose code says more
      if (found != 0 && (code == 0 || code == kLost)) code = found;
      if (WIFSIGNALED(status)) {
        command_line::print_stderr("elastane: [ranks] a rank was killed by signal {}\n", WTERMSIG(status));
      }
      continue;
    }
    if (Clock::now() > deadline) {
      for (const pid_t child : children) ::kill(child, SIGKILL);
      deadline = Clock::time_point::max();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return code;
}

}  // namespace elastane::lab
