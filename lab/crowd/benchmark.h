// One agent on all episodes: how each ended, and what its steps cost. Two agents on the same episodes, compared.
#pragma once

#include <functional>
#include <vector>

#include "lab/benchmark/latency.h"
#include "lab/benchmark/statistics.h"
#include "lab/crowd/agent.h"

namespace elastane::crowd {

struct Outcome {
  Ending ending = Ending::none;
  double time = 0;     // seconds
  double nearest = 0;  // metres between borders, as the reference program measures them
};

struct Results {
  std::vector<Outcome> outcomes;  // of each episode
  benchmark::Latency latency;     // of a step, in processor time

  double share(Ending ending) const;
  double mean_time() const;     // of successes
  double mean_nearest() const;  // of successes
};

// runs one episode to its end
Outcome play(const Episode& episode, Agent& agent, benchmark::Latency& latency);

// `progress` is called with the number of finished episodes
Results play_all(const std::vector<Episode>& episodes, Agent& agent, const std::function<void(std::size_t)>& progress);

struct Comparison {
  int only_first = 0, only_second = 0;  // episodes in which exactly one of them succeeded
  double p = 1;                         // of equal success: paired exchange, two-sided
  benchmark::Estimate seconds;          // first − second, where both succeeded
  double seconds_p = 1;                 // of equal time there: paired exchange, two-sided
};
Comparison compare(const Results& first, const Results& second);

}  // namespace elastane::crowd
