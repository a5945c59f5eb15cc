// Who owns which partition. Every worker beats; one that is heard is alive, by the listener's own clock; and the same list of
// workers gives the same owners everywhere. Two owners at a time do no harm: the fence decides. So this only has to be
// right soon.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace elastane::serve {

// The owner of each partition: by the highest hash of name and partition, but no worker gets more than its share. A worker
// that comes or goes moves few partitions.
std::vector<std::string> assign_partitions(int partitions, const std::vector<std::string>& workers);

class Members {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Members(double silence_seconds = 1.5) : silence_(silence_seconds) {}

  void heard(const std::string& name, Clock::time_point now) { heard_[name] = now; }
  void left(const std::string& name) { heard_.erase(name); }
  std::vector<std::string> alive(Clock::time_point now) const;

 private:
  std::chrono::duration<double> silence_;
  std::map<std::string, Clock::time_point> heard_;
};

}  // namespace elastane::serve
