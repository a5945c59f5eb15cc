#include "lab/navigation/map_agents.h"

#include "lab/navigation/near_clearance.h"

namespace elastane::navigation {
namespace {

StreamOptions judged_path(const PolicyMapOptions& options) {
  StreamOptions stream;
  stream.corrector = options.corrector;
  stream.latent.judged = kPath;
  stream.latent.fade = options.fade;
  return stream;
}

// what a step of a policy with a map cost
void add_macs(const StepReport& solved, std::int64_t advance, StepReport& report) {
  report.macs[static_cast<int>(Stage::advance)] = advance;
  for (int stage = 0; stage < kStages; ++stage) report.macs[stage] += solved.macs[stage];
}

}  // namespace

MapAgent::MapAgent(const MapAgentOptions& options)
    : options_(options),
      map_(options.cells),
      geodesic_(map_),
      distance_(static_cast<std::size_t>(map_.count())),
      home_path_(map_),
      sweep_(options.sweeps, options.weights) {}

void MapAgent::begin() {
  map_.begin();
  obstacles_ = {};
  home_path_.clear();
  plans_ = 0;
}

std::array<Vec2, kWaypoints> MapAgent::plan() {
  const bool known = !home_path_.empty() && home_path_.follow();
  if (!known || (map_.dearer() && home_path_.is_refuted(options_.tolerance))) {
    geodesic_.march(map_.at(map_.place()), Geodesic::kBeyond, distance_);
    home_path_.take(distance_);
    ++plans_;
  }
  return home_path_.waypoints(distance_);
}

Vec2 MapAgent::act(const Observation& observation) {
  map_.observe(observation);
  report_ = {};
  path_ = plan();
  const Vec2 goal = map_.place() * -1.0;
  const StepReport planned = report_;
  obstacles_.observe(observation);
  const ClearanceSource& free = options_.room_of_map ? static_cast<const ClearanceSource&>(map_) : obstacles_;
  report_sweeps(sweep_.improve(free, goal, path_), report_);
  report_.macs = planned.macs;
  const Vec2 command = limited(path_[0] * (1.0 / kStride), kSpeed);
  if (options_.filter.margin <= 0) return command;
  const NearClearance near(map_, obstacles_);
  return with_room(keep_clear(command, near, options_.filter), command, near, options_.room);
}

MapLatentAgent::MapLatentAgent(const MapAgentOptions& options)
    : MapAgent(options), corrector_(map_, options.tolerance) {}

void MapLatentAgent::begin() {
  MapAgent::begin();
  corrector_.begin();
}

std::array<Vec2, kWaypoints> MapLatentAgent::plan() {
  report_ = corrector_.correct();
  plans_ += report_.accepted;
  return corrector_.latent().path().waypoints(corrector_.latent().z());
}

PolicyMapAgent::PolicyMapAgent(const Model& policy, const PolicyMapOptions& options)
    : FrozenAgent(policy, judged_path(options)),
      full_speed_(options.full_speed),
      map_(options.map),
      objective_(options.weights) {}

void PolicyMapAgent::begin() {
  FrozenAgent::begin();
  map_.begin();
}

Vec2 PolicyMapAgent::act(const Observation& observation) {
  propose(observation);
  objective_.begin(obstacles_, observation.goal, stream_.output());
  keep_path(stream_.output());
  if (map_.observe(observation, path_)) objective_.head_home(map_);
  report_ = obstacles_.fresh() ? stream_.correct(objective_) : StepReport{};
  add_macs(map_.report(), advance_macs_, report_);
  keep_path(stream_.output());
  return full_speed_ ? full_speed(path_, observation.goal) : first_command(stream_.output());
}

PathMapAgent::PathMapAgent(const Model& policy, const PolicyMapOptions& options)
    : FrozenAgent(policy),
      full_speed_(options.full_speed),
      map_(options.map),
      objective_(options.weights),
      corrector_(options.corrector) {}

void PathMapAgent::begin() {
  FrozenAgent::begin();
  map_.begin();
  corrector_.reset();
}

Vec2 PathMapAgent::act(const Observation& observation) {
  propose(observation);
  objective_.begin(obstacles_, observation.goal, stream_.output());
  keep_path(stream_.output());
  if (map_.observe(observation, path_)) objective_.head_home(map_);
  report_ = corrector_.correct(objective_, stream_.output());
  add_macs(map_.report(), advance_macs_, report_);
  keep_path(corrector_.path());
  return full_speed_ ? full_speed(path_, observation.goal) : first_command(corrector_.path());
}

SweepMapAgent::SweepMapAgent(const Model& policy, const SweepMapOptions& options)
    : FrozenAgent(policy), map_(options.map), sweep_(options.sweeps, options.weights) {}

void SweepMapAgent::begin() {
  FrozenAgent::begin();
  map_.begin();
}

Vec2 SweepMapAgent::act(const Observation& observation) {
  FrozenAgent::act(observation);
  const bool asked = map_.observe(observation, path_);
  report_sweeps(sweep_.improve(obstacles_, observation.goal, path_, asked ? &map_ : nullptr), report_);
  add_macs(map_.report(), advance_macs_, report_);
  return limited(path_[0] * (1.0 / kStride), kSpeed);
}

}  // namespace elastane::navigation
