// Configurations of the maze agents with a map: what they differ in, and the file that holds what they learned.
//
//   esm          learned gate
//   k0           never refined                            uniform_1, uniform_4   every step, at most 1 or 4 micro-steps
//   random       drawn from esm's histogram of depths     kappa                  where κ is above a threshold
//   euclidean    every step, along the gradient           diagonal               along the gradient over variances
//
// Each has its own head, trained on the states that it visits.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/maze/map_agent.h"

namespace elastane::maze {

inline constexpr const char* kConfigNames[] = {"esm",    "k0",    "uniform_1", "uniform_4",
                                               "random", "kappa", "euclidean", "diagonal"};

// before training
AgentConfig untrained_config(const std::string& name);

using AgentConfigs = std::map<std::string, AgentConfig>;
Result<std::vector<std::byte>> format_agent_configs(const AgentConfigs& configs,
                                                    std::map<std::string, std::string> metadata = {});
Result<AgentConfigs> parse_agent_configs(std::span<const std::byte> bytes, const std::string& source);
Result<AgentConfigs> load_agent_configs(const std::string& path);

// esm, trained with another price of compute or another seed: the curve of success against compute
struct PricedAgentConfig {
  double price = 0;
  int seed = 1;
  AgentConfig config;
};
Result<std::vector<std::byte>> format_priced_configs(const std::vector<PricedAgentConfig>& configs,
                                                     std::map<std::string, std::string> metadata = {});
Result<std::vector<PricedAgentConfig>> parse_priced_configs(std::span<const std::byte> bytes,
                                                            const std::string& source);
Result<std::vector<PricedAgentConfig>> load_priced_configs(const std::string& path);

}  // namespace elastane::maze
