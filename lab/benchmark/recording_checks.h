// What the validation of every world's recording shares.
#pragma once

#include <string>

#include "elastane/core/base/result.h"

namespace elastane::benchmark {

inline Error wrong_size(const std::string& where, std::size_t expected, std::size_t found) {
  return Error{"[recording] " + where + ": expected " + std::to_string(expected) + ", found " + std::to_string(found)};
}

template <class Agents>
Status check_agents(const Agents& agents) {
  if (agents.empty()) return Error{"[recording] agents: expected one at least, found none"};
  for (const auto& agent : agents) {
    if (agent.steps.empty()) {
      return Error{"[recording] " + agent.caption.name + ": expected a step at least, found none"};
    }
  }
  return {};
}

inline bool is_below(int index, std::size_t size) { return index >= 0 && static_cast<std::size_t>(index) < size; }

}  // namespace elastane::benchmark
