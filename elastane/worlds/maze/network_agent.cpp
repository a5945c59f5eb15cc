#include "elastane/worlds/maze/network_agent.h"

namespace elastane::maze {

Result<Model> load_network(const std::string& path) {
  Result<Model> model = Model::load(path);
  if (!model) return model;
  const ModelConfig& config = model->config();
  if (config.inputs != kInputs || config.outputs != kOutputs) {
    return Error{"[maze] " + path + ": expected " + std::to_string(kInputs) + " inputs and " +
                 std::to_string(kOutputs) + " outputs, found " + std::to_string(config.inputs) + " and " +
                 std::to_string(config.outputs) + "; train it with elastane train maze"};
  }
  return model;
}

void NetworkAgent::begin(const Task&) { stream_.reset(); }

int NetworkAgent::act(const Sight& sight) {
  speak(sight, x_);
  stream_.advance(x_);
  report_ = {};
  report_.madds[static_cast<int>(Stage::advance)] = stream_.model().madds();
  return best_way(sight, stream_.output());
}

}  // namespace elastane::maze
