#include "lab/navigation/map_agents.h"

#include <algorithm>

#include "elastane/core/math/kernels.h"

namespace elastane::navigation {
namespace {

constexpr int kStallSteps = 16;       // a robot that came less far in so many steps
constexpr double kStallShare = 0.35;  // than this share of what it could have driven is stalled

StreamOptions judged_path(const PolicyMapOptions& options) {
  StreamOptions stream;
  stream.corrector = options.corrector;
  stream.latent.judged = kPath;
  stream.latent.fade = options.fade;
  return stream;
}

// a march is taken as a whole or not at all
CorrectorOptions whole_steps() {
  CorrectorOptions options;
  options.metric.kind = Metric::native;
  options.trust = {.radius = 1e6, .smallest = 1, .largest = 1e9, .low = 1e-9, .trials = 1};
  options.gate = {.kind = Gate::gain, .depth = 1, .price = 0.49};  // a cell that is dearer by the tolerance costs ½
  return options;
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
  if (options_.room_of_map) {
    report_sweeps(sweep_.improve(map_, goal, path_), report_);
  } else {
    obstacles_.observe(observation);
    report_sweeps(sweep_.improve(obstacles_, goal, path_), report_);
  }
  report_.macs = planned.macs;
  return limited(path_[0] * (1.0 / kStride), kSpeed);
}

MapCorrector::MapCorrector(const SiteMap& map, double tolerance)
    : latent_(map),
      objective_(tolerance),
      corrector_(whole_steps(), latent_.latents(), latent_.outputs(), **kernels(Isa::automatic)),
      memory_(corrector_.memory_doubles()),
      output_(static_cast<std::size_t>(latent_.outputs())) {
  begin();
}

void MapCorrector::begin() {
  latent_.begin();
  corrector_.reset(memory_.data());
}

StepReport MapCorrector::correct() {
  latent_.observe();
  const StepReport report = corrector_.correct(latent_, objective_, {}, latent_.z(), output_, memory_.data());
  latent_.commit(report.accepted > 0);
  return report;
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
      options_(options),
      map_(options.map.cells),
      corrector_(map_, options.map.tolerance),
      objective_(options.weights),
      places_(kStallSteps) {}

void PolicyMapAgent::begin() {
  FrozenAgent::begin();
  map_.begin();
  corrector_.begin();
  steps_ = asking_ = 0;
}

HomeDistance::Value PolicyMapAgent::home(Vec2 p) const {
  const Distance found = interpolate(map_, corrector_.latent().z(), map_.place() + p);
  return {found.value, found.slope};
}

// without a stall gate always; with one for some steps after the robot made no progress
bool PolicyMapAgent::asks_map() {
  if (options_.ask_for == 0) return true;
  Vec2& oldest = places_[static_cast<std::size_t>(steps_ % kStallSteps)];
  const bool stalled = steps_ >= kStallSteps && norm(map_.place() - oldest) < kStallShare * kStallSteps * kSpeed;
  oldest = map_.place();
  ++steps_;
  asking_ = stalled ? options_.ask_for : std::max(0, asking_ - 1);
  return asking_ > 0;
}

Vec2 PolicyMapAgent::act(const Observation& observation) {
  propose(observation);
  map_.observe(observation);
  objective_.begin(obstacles_, observation.goal, stream_.output());
  StepReport solved;
  if (asks_map()) {
    solved = corrector_.correct();
    objective_.head_home(*this);
  }
  report_ = obstacles_.fresh() ? stream_.correct(objective_) : StepReport{};
  report_.macs[static_cast<int>(Stage::advance)] = advance_macs_;
  for (int stage = 0; stage < kStages; ++stage) report_.macs[stage] += solved.macs[stage];
  keep_path(stream_.output());
  return options_.full_speed ? navigation::full_speed(path_, observation.goal) : first_command(stream_.output());
}

}  // namespace elastane::navigation
