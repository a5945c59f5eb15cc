// A progress bar on a terminal; nothing elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace elastane::command_line {

class Bar {
 public:
  Bar();
  ~Bar() { clear(); }

  void update(double share, const std::string& doing);  // may be called often
  void clear() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  Clock::time_point begin_ = Clock::now(), drawn_{};
};

}  // namespace elastane::command_line
