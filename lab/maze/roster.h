// The agents of the maze benchmark.
//
//   TrainedAgents trained = load_trained_agents("models").value();
//   for (const RosterEntry& entry : make_roster(trained, shape)) entry.make(shape)->begin(episode);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elastane/core/network/model.h"
#include "lab/benchmark/benchmark.h"
#include "lab/maze/agent_configs.h"

namespace elastane::maze {

// a network as an agent, from the file of its name: maze_ssm.safetensors
struct Network {
  std::string name, what;
  Model model;
};

struct TrainedAgents {
  AgentConfigs configs;
  std::vector<Network> networks = {};
  std::vector<PricedAgentConfig> priced = {};  // the grid: esm with other prices of compute
};
// the configurations, and the networks and priced configurations that are in the folder
Result<TrainedAgents> load_trained_agents(const std::string& folder);

// an agent, and how it is made
struct RosterEntry {
  benchmark::AgentCard card;
  std::function<std::unique_ptr<Agent>(const MapShape&)> make;
};
// on mazes of this shape; networks cannot make diagonal moves
std::vector<RosterEntry> make_roster(const TrainedAgents& trained, const MapShape& shape);
// the grid: esm with other prices; agents with the same price have the same settings
std::vector<RosterEntry> priced_roster(const TrainedAgents& trained);

// what the table should show
std::vector<benchmark::Claim> make_claims(const TrainedAgents& trained);

}  // namespace elastane::maze
