#include "lab/maze/map_agent.h"

#include <utility>

#include "elastane/core/math/kernels.h"

namespace elastane::maze {

// A step of policy iteration is taken as a whole or not at all, so there is one trial and no limit by the trust region;
// any improvement is accepted, however small.
CorrectorOptions corrector_options(const AgentConfig& config) {
  return {.metric = {.kind = config.metric},
          .trust = {.radius = 1e3,
                    .smallest = 1e-3,
                    .largest = 1e6,
                    .low = 1e-9,
                    .trials = config.metric == Metric::native ? 1 : 3},
          .retraction = {},
          .gate = config.gate};
}

MapAgent::MapAgent(const MapShape& shape, const AgentConfig& config)
    : config_(config), shape_(shape), map_(shape.width, shape.height, shape.moves) {
  y_.resize(static_cast<std::size_t>(map_.outputs()));
}

// a new corrector for every episode, so that a random gate starts from the episode's seed
void MapAgent::begin(const Episode& episode) {
  CorrectorOptions options = corrector_options(config_);
  options.gate.seed = episode.seed;
  corrector_.emplace(options, map_.latents(), map_.outputs(), *kernels().value(), LearnedMetric{}, config_.learned);
  memory_.assign(corrector_->memory_doubles(), 0);
  corrector_->reset(memory_.data());
  map_.begin(episode.plan, episode.goal);
  objective_.begin();
  begun_ = false;
}

int MapAgent::act(const Observation& observation) {
  observe(observation);
  refine();
  return decide(observation);
}

void MapAgent::observe(const Observation& observation) {
  map_.write(observation);
  objective_.observe(map_, observation);
  map_.know_loss(objective_.value(map_.residual_squares(), map_.occupancy_in_view()));
}

void MapAgent::refine() {
  report_ = corrector_->correct(map_, objective_, Budget::none(), map_.corrected_z(), y_, memory_.data());
  if (!map_.is_stocked()) map_.take_stock(y_);  // it was read as a whole
  map_.commit();
}

int MapAgent::decide(const Observation& observation) {
  AllMoveFeatures features;
  Scores scores = {};
  move_features(map_, std::as_const(map_).z(), observation, features);
  const std::span<double> all(scores.data(), static_cast<std::size_t>(move_count(shape_.moves)));
  int scored = 0;  // moves into walls are never taken
  for (int move = 0; move < move_count(shape_.moves); ++move) {
    if (!looks_free(observation, move)) continue;
    scores[static_cast<std::size_t>(move)] = config_.head.score_of(features[static_cast<std::size_t>(move)]);
    ++scored;
  }
  report_.macs[static_cast<int>(Stage::advance)] +=
      map_.write_macs() + Head::macs(scored) + (begun_ ? 0 : map_.begin_macs());
  begun_ = true;
  return best_free_move(observation, std::span<const double>(all));
}

std::int64_t MapAgent::most_macs() const {
  return map_.write_macs() + Head::macs(move_count(shape_.moves)) + corrector_->most_macs(map_.cost());
}

}  // namespace elastane::maze
