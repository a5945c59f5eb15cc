// Whether a benchmark's claims hold: one agent against another on the same episodes, tested.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/benchmark/results.h"

namespace elastane::benchmark {

inline constexpr double kSure = 0.01;  // a claim holds with p below this

struct Finding {
  Claim claim;
  std::string agent;    // the most successful of the claim's agents
  Comparison measured;  // against the rival
  double p_value = 1;   // Holm-corrected over the claims; first times the number of agents to choose from
  bool met = false;     // the figure reaches the aim, on the right side, and p_value < kSure
};

// For the claims whose agents took part.
std::vector<Finding> findings(std::span<const Record> records, std::span<const Claim> claims,
                              const StatisticsOptions& options = {});

}  // namespace elastane::benchmark
