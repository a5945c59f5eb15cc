#include "lab/maze/network_agent.h"

#include "lab/maze/observation.h"

namespace elastane::maze {
namespace {

constexpr int kInputsWithMap = kInputs + kMapInputs;

}  // namespace

Result<Model> load_network(const std::string& path) {
  Result<Model> model = Model::load(path);
  if (!model) return model;
  const bool fits = model->inputs() == kInputs || model->inputs() == kInputsWithMap;
  if (fits && model->outputs() == kOutputs) return model;
  return Error{"[maze] " + path + ": expected " + std::to_string(kInputs) + " inputs, or " +
               std::to_string(kInputsWithMap) + " with a map, and " + std::to_string(kOutputs) + " outputs, found " +
               std::to_string(model->inputs()) + " and " + std::to_string(model->outputs()) +
               "; train it with elastane train maze"};
}

NetworkAgent::NetworkAgent(const Model& network)
    : stream_(network), has_map_(network.inputs() == kInputsWithMap), x_(static_cast<std::size_t>(network.inputs())) {}

void NetworkAgent::begin(const Episode& episode) {
  stream_.reset();
  if (!has_map_) return;
  map_.emplace(episode.plan.width(), episode.plan.height(), episode.moves);
  map_->begin(episode.plan, episode.goal);
}

int NetworkAgent::act(const Observation& observation) {
  encode(observation, x_);
  if (map_) {
    map_->write(observation);
    encode_map(*map_, observation, std::span(x_).subspan(kInputs));
  }
  report_ = {};
  std::int64_t& macs = report_.macs[static_cast<int>(Stage::advance)];
  macs = stream_.advance(x_).macs;
  if (map_) macs += map_->write_macs() + (stream_.position() == 1 ? map_->begin_macs() : 0);
  return best_free_move(observation, stream_.output());
}

}  // namespace elastane::maze
