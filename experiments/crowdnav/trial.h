// One agent on all cases: what became of each, and what its steps cost.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/benchmark/latency.h"
#include "lab/benchmark/statistics.h"
#include "lab/crowd/agent.h"

namespace elastane::crowd {

struct Played {
  End end;
  double time;     // seconds
  double nearest;  // metres between borders, as the reference measures them
};

struct Trial {
  std::vector<Played> cases;
  benchmark::Latency latency;  // of a step, in processor time

  double share(End end) const;
  double mean_time() const;     // of successes
  double mean_nearest() const;  // of successes
};

// `progress` is told how many cases are done
Trial play(const std::vector<Scene>& scenes, Agent& agent, const std::function<void(std::size_t)>& progress);

// two agents on the same cases
struct Duel {
  int only_first = 0, only_second = 0;  // cases in which one of them succeeded
  double p = 1;                         // of no difference in success: paired exchange, two-sided
  benchmark::Estimate seconds;          // first − second, where both succeeded
};
Duel compare(const Trial& first, const Trial& second);

}  // namespace elastane::crowd
