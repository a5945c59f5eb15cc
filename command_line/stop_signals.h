// Ctrl-C as a request: a program that runs for long finishes what it is doing, and then stops.
#pragma once

namespace elastane::command_line {

// From construction on, the first SIGINT or SIGTERM is a request; a second one has its usual effect. One at a time.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  int caught() const;      // 0: none
  int descriptor() const;  // becomes readable with a signal
};

}  // namespace elastane::command_line
