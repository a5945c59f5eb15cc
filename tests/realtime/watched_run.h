// Runs steps in a child process that may not make a single system call, and counts allocations and locks meanwhile.
#pragma once

#include <functional>

#include "tests/realtime/interpose.h"

namespace elastane {

struct Verdict {
  bool filtered = false;   // the kernel agreed to stop system calls
  bool finished = false;   // the steps came to their end
  bool succeeded = false;  // and returned true
  int system_call = -1;    // the one that ended them
  Requests requests;
};

Verdict run_watched(const std::function<bool()>& steps);

}  // namespace elastane
