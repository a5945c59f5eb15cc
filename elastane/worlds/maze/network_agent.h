// Agents that walk by a network alone: a stack of blocks that is told what is seen and says which way.
//
//   NetworkAgent agent(load_network("models/maze_ssm.safetensors").value());
#pragma once

#include <array>
#include <string>

#include "elastane/core/base/result.h"
#include "elastane/core/stream.h"
#include "elastane/worlds/maze/agent.h"
#include "elastane/worlds/maze/language.h"

namespace elastane::maze {

// a model file whose inputs and outputs are those of language.h
Result<Model> load_network(const std::string& path);

class NetworkAgent final : public Agent {
 public:
  explicit NetworkAgent(const Model& network) : stream_(network) {}
  void begin(const Task& task) override;
  int act(const Sight& sight) override;

 private:
  Stream stream_;
  std::array<float, kInputs> x_ = {};
};

}  // namespace elastane::maze
