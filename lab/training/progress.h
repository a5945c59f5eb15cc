// The progress of a long run on stderr: a bar on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace elastane::lab {

class Progress {
 public:
  // writes to stderr, or not at all if not `shown`
  Progress(std::int64_t done, std::int64_t total, bool shown);
  ~Progress();

  void update(std::int64_t done, double loss, double held_out);  // may be called often
  void line(const std::string& text);                            // a line that stays

 private:
  using Clock = std::chrono::steady_clock;

  void clear() const;

  std::int64_t first_, total_;
  bool shown_, terminal_;
  Clock::time_point begin_ = Clock::now(), drawn_{};
};

// 75 as "1:15"
std::string duration(double seconds);

}  // namespace elastane::lab
