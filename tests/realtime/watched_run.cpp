#include "tests/realtime/watched_run.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <iterator>

namespace elastane {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#endif

Verdict* verdict = nullptr;  // in memory that parent and child share, so that reporting needs no system call

void on_system_call(int, siginfo_t* info, void*) {
  verdict->requests = unwatch();
  verdict->system_call = info->si_syscall;
  _exit(1);
}

// From here on every system call but the exit raises SIGSYS. Reading the clock stays unseen where it needs no system
// call (vdso); tools/check_realtime finds it by name.
bool forbid_system_calls() {
  constexpr auto load = [](std::size_t at) { return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, unsigned(at)); };
  constexpr auto skip_unless = [](unsigned value) {
    return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
  };
  constexpr auto answer = [](unsigned action) { return sock_filter BPF_STMT(BPF_RET | BPF_K, action); };
  sock_filter program[] = {
      load(offsetof(seccomp_data, arch)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      answer(SECCOMP_RET_KILL_PROCESS),
      load(offsetof(seccomp_data, nr)),
      skip_unless(SYS_exit_group),
      answer(SECCOMP_RET_ALLOW),
      skip_unless(SYS_exit),
      answer(SECCOMP_RET_ALLOW),
      skip_unless(SYS_rt_sigreturn),
      answer(SECCOMP_RET_ALLOW),
      answer(SECCOMP_RET_TRAP),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

[[noreturn]] void run_child(const std::function<bool()>& steps) {
  struct sigaction action = {};
  action.sa_sigaction = on_system_call;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
  verdict->filtered = forbid_system_calls();
  watch();
  verdict->succeeded = steps();
  verdict->requests = unwatch();
  verdict->finished = true;
  _exit(0);
}

}  // namespace

Verdict run_watched(const std::function<bool()>& steps) {
  void* shared = mmap(nullptr, sizeof(Verdict), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return {};
  verdict = new (shared) Verdict;
  const pid_t child = fork();
  if (child == 0) run_child(steps);
  if (child > 0) waitpid(child, nullptr, 0);
  const Verdict result = *verdict;
  munmap(shared, sizeof(Verdict));
  return result;
}

}  // namespace elastane
