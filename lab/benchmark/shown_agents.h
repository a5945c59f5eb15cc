// Agents that the user named, to be shown side by side.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::benchmark {

inline constexpr std::size_t kMostShown = 8;

// from `all`, whose type has a `name`; an unknown name is an error that lists the known ones
template <class Agent>
Result<std::vector<Agent>> shown_agents(const std::vector<std::string>& names, const std::vector<Agent>& all) {
  if (names.size() > kMostShown) {
    return Error{"[agents] expected at most " + std::to_string(kMostShown) + " side by side, found " +
                 std::to_string(names.size())};
  }
  std::vector<Agent> chosen;
  for (const std::string& name : names) {
    const auto agent = std::ranges::find(all, name, &Agent::name);
    if (agent == all.end()) {
      std::string known;
      for (const Agent& a : all) known += (known.empty() ? "" : ", ") + a.name;
      return Error{"[agents] " + name + ": expected some of " + known};
    }
    chosen.push_back(*agent);
  }
  return chosen;
}

}  // namespace elastane::benchmark
