// Descriptions of the agents, tuned settings and claims of the maze, from experiments/maze/settings.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/benchmark.h"

namespace elastane::maze {

struct AgentText {
  std::string name, what;
};

struct Settings {
  AgentText replanner, oracle_depth;
  std::vector<AgentText> map_agents;  // in the order of the table
  std::vector<AgentText> networks;    // each from the file maze_NAME.safetensors, if it is there
  double oracle_price = 0;            // as esm's gate was trained with
  double kappa_threshold = 0;         // above the residuals of distant cells
  std::vector<benchmark::Claim> claims;
};
const Settings& settings();

}  // namespace elastane::maze
