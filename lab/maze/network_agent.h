// Agents that walk by a network alone: a stack of blocks that is told what is seen, or what a map says as well, and
// says which way.
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

// a model file whose inputs and outputs are those of language.h, with or without those of map_features.h
Result<Model> load_network(const std::string& path);

class NetworkAgent final : public Agent {
 public:
  explicit NetworkAgent(const Model& network);
  void begin(const Task& task) override;
  int act(const Sight& sight) override;

 private:
  Stream stream_;
  bool told_of_map_;
  std::optional<MapLatent> map_;  // as it is written; nobody refines it
  std::vector<float> x_;
};

}  // namespace elastane::maze
