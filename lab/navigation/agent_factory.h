// Builds agents from named parameters, as experiments/navigation/settings/roster.json lists them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "elastane/core/network/model.h"
#include "lab/navigation/agent.h"

namespace elastane::navigation {

struct Policies {
  Model selective, transformer;
};

struct AgentConfig {
  std::string kind;                          // "frozen", "latent", "sweep", …
  std::string policy = "selective";          // or "transformer"
  std::string metric = "exact";              // of the corrector, if it has one
  bool second_order = false;                 // retraction
  std::map<std::string, double> parameters;  // by name: "depth", "damping", …

  double at(const std::string& name) const;  // throws if it is missing
  double at(const std::string& name, double otherwise) const;
};

using AgentMaker = std::function<std::unique_ptr<Agent>(const Policies&)>;

// throws std::runtime_error for an unknown kind or metric, or a missing parameter
AgentMaker agent_maker(const AgentConfig& config);

}  // namespace elastane::navigation
