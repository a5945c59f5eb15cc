// Who takes part in the navigation benchmark, and with which settings: of each entrant the same number were tried on
// other sites and other episodes than the benchmark's (experiments/navigation), and one was chosen.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elastane/core/network/model.h"
#include "lab/benchmark/benchmark.h"
#include "lab/navigation/agent.h"

namespace elastane::navigation {

struct Policies {
  Model selective, transformer;
};

struct Setting {
  std::string text;  // "K 3, damping 0.1, fade 0.15"
  std::function<std::unique_ptr<Agent>(const Policies&)> make;
};

struct Entrant {
  benchmark::AgentCard card;
  std::vector<Setting> tried;  // none: it has nothing to set, or, of the oracle, is no agent
  int chosen = 0;
  bool oracle = false;  // knows the site as it is, and plans anew after every change
};

// for what happens in this mode
std::vector<Entrant> line_up(Mode mode);

// the sketch with the published grid of (λ, r, β)
std::vector<Entrant> budget_grid();

}  // namespace elastane::navigation
