// The agents of the navigation benchmark and their settings. The data are experiments/navigation/settings/roster.json:
// the same number of settings was tried for each agent, on sites and episodes that the benchmark does not use.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/benchmark.h"
#include "lab/navigation/agent_factory.h"

namespace elastane::navigation {

struct Setting {
  std::string text;  // "K 3, damping 0.1, fade 0.15, radius 0.5"
  AgentMaker make;
};

struct RosterEntry {
  benchmark::AgentCard card;
  std::vector<Setting> tried;  // empty for the oracle
  int chosen = 0;              // index of the setting that tuning chose
  bool oracle = false;         // knows the site as it is, and plans again after every change

  const Setting& setting() const { return tried[static_cast<std::size_t>(chosen)]; }
};

// the agents that take part in this mode
std::vector<RosterEntry> roster(Mode mode);

// the sketch with the published grid of (λ, r, β)
std::vector<RosterEntry> budget_grid();

// what the benchmark is meant to show in this mode (experiments/navigation/settings/claims.json)
std::vector<benchmark::Claim> claims(Mode mode);

}  // namespace elastane::navigation
