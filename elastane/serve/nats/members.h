// Who owns which partition. Every worker beats; one that is heard is alive, by the listener's own clock; and the same list of
// workers gives the same owners everywhere. Two owners at a time do no harm: the fence decides. So this only has to be
// right soon.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace elastane::serve {

// The owner of each partition: by the highest hash of name and partition, but no worker gets more than its share. A worker
// that comes or goes moves few partitions.
std::vector<std::string> assign_partitions(int partitions, const std::vector<std::string>& workers);

// One that was silent and came back was slow, not dead: from then on it may be silent for twice as long as it was, up to
// five times the usual. Otherwise a machine that is short of time would spend what it has on take-overs.
class Members {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Members(double silence_seconds = 1) : silence_(silence_seconds) {}

  // `held`: partitions that it says it holds; `run`: of its process, another one after each start
  void heard(const std::string& name, Clock::time_point now, std::set<int> held = {}, const std::string& run = {});
  void left(const std::string& name) { heard_.erase(name); }
  std::vector<std::string> alive(Clock::time_point now) const;
  // by a worker that is alive, other than this one
  bool is_held(int partition, const std::string& other_than, Clock::time_point now) const;

 private:
  using Seconds = std::chrono::duration<double>;
  struct Member {
    Clock::time_point at;
    std::set<int> held;
    std::string run;
    Seconds longest{0};  // between two beats of one run; it fades
  };
  bool is_alive(const Member& member, Clock::time_point now) const;

  Seconds silence_;
  std::map<std::string, Member> heard_;
};

}  // namespace elastane::serve
