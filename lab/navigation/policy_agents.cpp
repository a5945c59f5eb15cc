#include "lab/navigation/policy_agents.h"

#include <algorithm>

namespace elastane::navigation {
namespace {

StreamOptions corrected(const CorrectorOptions& corrector, double fade) {
  StreamOptions options;
  options.corrector = corrector;
  options.latent.judged = kPath;
  options.latent.fade = fade;
  return options;
}

}  // namespace

FrozenAgent::FrozenAgent(const Model& policy, const StreamOptions& options) : stream_(policy, options) {}

void FrozenAgent::begin() {
  stream_.reset();
  obstacles_ = {};
}

void FrozenAgent::propose(const Observation& observation) {
  encode(observation, std::span(x_).subspan(kDisturbance));
  advance_macs_ = stream_.advance(x_).macs;
  obstacles_.observe(observation);
}

Vec2 FrozenAgent::act(const Observation& observation) {
  propose(observation);
  keep_path(stream_.output());
  report_ = {};
  report_.macs[static_cast<int>(Stage::advance)] = advance_macs_;
  return first_command(stream_.output());
}

Vec2 full_speed(std::span<const Vec2> path, Vec2 goal) {
  const Vec2 first = limited(path[0] * (1.0 / kStride), kSpeed), ahead = path[0] * 0.5 + path[1] * 0.25;
  const double length = norm(ahead);
  return norm(goal) < 2 * kSpeed || !(length > 0) ? first : ahead * (kSpeed / length);
}

LatentAgent::LatentAgent(const Model& policy, const CorrectorOptions& corrector, const CostWeights& weights,
                         double fade, bool fast)
    : FrozenAgent(policy, corrected(corrector, fade)), objective_(weights), fast_(fast) {}

Vec2 LatentAgent::act(const Observation& observation) {
  propose(observation);
  objective_.begin(obstacles_, observation.goal, stream_.output());
  // a latent remembers, so it is corrected only once by the same observation
  report_ = obstacles_.fresh() ? stream_.correct(objective_) : StepReport{};
  report_.macs[static_cast<int>(Stage::advance)] = advance_macs_;
  keep_path(stream_.output());
  return fast_ ? full_speed(path_, observation.goal) : first_command(stream_.output());
}

void StaticAgent::begin() {
  if (pretrained_) stream_ = *pretrained_;
  stream_.restart();  // keeps the corrector's memory
  obstacles_ = {};
}

PathAgent::PathAgent(const Model& policy, const CorrectorOptions& corrector, const CostWeights& weights)
    : FrozenAgent(policy), objective_(weights), corrector_(corrector) {}

void PathAgent::begin() {
  FrozenAgent::begin();
  corrector_.reset();
}

Vec2 PathAgent::act(const Observation& observation) {
  propose(observation);
  objective_.begin(obstacles_, observation.goal, stream_.output());
  report_ = corrector_.correct(objective_, stream_.output());
  report_.macs[static_cast<int>(Stage::advance)] = advance_macs_;
  keep_path(corrector_.path());
  return first_command(corrector_.path());
}

LatentAndPathAgent::LatentAndPathAgent(const Model& policy, const CorrectorOptions& latent, double fade,
                                       const CorrectorOptions& path, const CostWeights& weights)
    : LatentAgent(policy, latent, weights, fade), corrector_(path) {}

void LatentAndPathAgent::begin() {
  LatentAgent::begin();
  corrector_.reset();
}

// reports the correction of the latent, with the compute of both
Vec2 LatentAndPathAgent::act(const Observation& observation) {
  LatentAgent::act(observation);
  objective_.begin(obstacles_, observation.goal, stream_.output());
  const StepReport after = corrector_.correct(objective_, stream_.output());
  for (int stage = 0; stage < kStages; ++stage) report_.macs[stage] += after.macs[stage];
  if (!obstacles_.fresh()) report_.loss_before = after.loss_before;  // the latent was not corrected
  report_.loss_after = after.loss_after;
  keep_path(corrector_.path());
  return first_command(corrector_.path());
}

Vec2 keep_clear(Vec2 command, const ClearanceSource& obstacles, const FilterOptions& options) {
  const Clearance here = obstacles.clearance({});
  const double allowed = -options.pace * (here.distance - kBody - options.margin);
  // twice: in a corner, the turned command meets a second surface
  for (int i = 0; i < 2; ++i) {
    const Clearance there = obstacles.clearance(command);
    const double approach = dot(command, there.away);
    if (there.distance < kBody + options.margin + kSpeed && approach < allowed) {
      command += there.away * (allowed - approach);
    }
  }
  return limited(command, kSpeed);
}

Vec2 FilteredAgent::act(const Observation& observation) {
  return keep_clear(FrozenAgent::act(observation), obstacles_, options_);
}

}  // namespace elastane::navigation
