#include "lab/maze/map_agent.h"

#include "elastane/core/math/kernels.h"

namespace elastane::maze {

// A step of policy iteration goes all the way or not at all, so it is tried once; the trust region has no say in it,
// and what makes values agree better is welcome however little it is
CorrectorOptions corrector_options(const Mind& mind) {
  return {.metric = {.kind = mind.metric},
          .trust = {.radius = 1e3,
                    .smallest = 1e-3,
                    .largest = 1e6,
                    .low = 1e-9,
                    .trials = mind.metric == Metric::native ? 1 : 3},
          .retraction = {},
          .gate = mind.gate};
}

MapAgent::MapAgent(const MapShape& shape, const Mind& mind)
    : mind_(mind), shape_(shape), map_(shape.width, shape.height, shape.moves) {
  y_.resize(static_cast<std::size_t>(map_.outputs()));
}

// a corrector of its own for every walk, since one that draws lots must not go on where it was
void MapAgent::begin(const Task& task) {
  CorrectorOptions options = corrector_options(mind_);
  options.gate.seed = task.seed;
  corrector_.emplace(options, map_.latents(), map_.outputs(), *kernels().value(), LearnedMetric{}, mind_.learned);
  memory_.assign(corrector_->memory_doubles(), 0);
  corrector_->reset(memory_.data());
  map_.begin(task.plan, task.goal);
  objective_.begin();
  begun_ = false;
}

int MapAgent::act(const Sight& sight) {
  see(sight);
  refine();
  return decide(sight);
}

void MapAgent::see(const Sight& sight) {
  map_.write(sight);
  objective_.look(map_, sight);
}

void MapAgent::refine() {
  report_ = corrector_->correct(map_, objective_, Budget::none(), map_.z(), y_, memory_.data());
  map_.commit();
}

int MapAgent::decide(const Sight& sight) {
  Around around;
  Scores scores;
  look_around(map_, map_.z(), sight, around);
  const std::span<double> all(scores.data(), static_cast<std::size_t>(way_count(shape_.moves)));
  judge(mind_.head, around, shape_.moves, all);
  report_.macs[static_cast<int>(Stage::advance)] +=
      map_.write_macs() + Head::macs(way_count(shape_.moves)) + (begun_ ? 0 : map_.begin_macs());
  begun_ = true;
  return best_way(sight, std::span<const double>(all));
}

std::int64_t MapAgent::most_macs() const {
  return map_.write_macs() + Head::macs(way_count(shape_.moves)) + corrector_->most_macs(map_.cost());
}

}  // namespace elastane::maze
