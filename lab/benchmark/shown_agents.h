// Agents by the names that somebody typed, to be shown side by side.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::benchmark {

inline constexpr std::size_t kMostShown = 8;

// of all that there are, whose type has a `name`; a name that nobody has is an error that lists those that there are
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
