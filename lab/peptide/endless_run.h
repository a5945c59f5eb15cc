// An endless episode: does a corrected step take as long after a million steps as after ten? One chain, one contact after
// another; the agent is never reset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/peptide/tuning.h"

namespace elastane::peptide {

// steps that are measured together
struct MeasuredSteps {
  std::int64_t from, until;
};

struct EndlessOptions {
  std::string models = "models", agent = "conjugate_gradient_detours";
  std::uint64_t seed = 3001;
  std::vector<MeasuredSteps> windows = {{10, 1'000},        {1'000, 10'000},    {10'000, 30'000},
                                        {100'000, 120'000}, {500'000, 520'000}, {1'000'000, 1'020'000}};
};

// a Markdown table with a row for each window: times of a step, share of contacts met, memory of the process
void run_endlessly(const EndlessOptions& options, const PrintLine& print);

}  // namespace elastane::peptide
