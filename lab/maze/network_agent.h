// Agents that are a network only: a stack of blocks from the observation, with or without the features of a map, to a
// move.
//
//   NetworkAgent agent(load_network("models/maze_ssm.safetensors").value());
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/core/stream/stream.h"
#include "lab/maze/agent.h"
#include "lab/maze/map_features.h"

namespace elastane::maze {

// a model file with the inputs and outputs of observation.h, with or without the inputs of map_features.h
Result<Model> load_network(const std::string& path);

class NetworkAgent final : public Agent {
 public:
  explicit NetworkAgent(const Model& network);
  void begin(const Episode& episode) override;
  int act(const Observation& observation) override;

 private:
  Stream stream_;
  bool has_map_;
  std::optional<MapLatent> map_;  // without refinement
  std::vector<float> x_;
};

}  // namespace elastane::maze
