#include "lab/navigation/belief_agents.h"

#include <algorithm>
#include <limits>

namespace elastane::navigation {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
constexpr double kWeakest = 0.3;  // estimates of the strength are at least this

StreamOptions persistent(const PersistentDisturbance& prior) {
  StreamOptions options;
  options.noise = {static_cast<float>(prior.noise)};
  options.corrector = CorrectorOptions{};
  // the prior already limits the step
  options.corrector->trust.radius = 10;
  options.corrector->trust.largest = 1e3;
  options.latent.judged = kPath + 2;
  options.guard.kind = GuardKind::off;  // belief() and the path must come from the same stream
  PersistentOptions& p = options.latent.persistent;
  p.coordinates.input_bias = true;
  p.coordinates.adapted_inputs = kDisturbance;
  p.latent_variance = prior.latent_spread * prior.latent_spread;
  p.variance = prior.spread * prior.spread;
  p.noise = prior.drift * prior.drift;
  return options;
}

StreamOptions observing(const CorrectorOptions& corrector, double noise) {
  StreamOptions options;
  options.corrector = corrector;
  options.noise = {static_cast<float>(noise)};
  return options;
}

}  // namespace

DisturbanceAgent::DisturbanceAgent(const Model& policy, const StreamOptions& options, const CorrectorOptions& path,
                                   const CostWeights& weights)
    : FrozenAgent(policy, options), objective_(weights), corrector_(path) {}

void DisturbanceAgent::begin() {
  FrozenAgent::begin();
  corrector_.reset();
  drove_ = false;
}

Vec2 DisturbanceAgent::act(const Observation& observation) {
  report_ = {};
  if (drove_) learn(observation);
  drove_ = true;
  propose(observation);
  objective_.begin(obstacles_, observation.goal, stream_.output(), belief());
  const StepReport path = corrector_.correct(objective_, stream_.output());
  for (int stage = 0; stage < kStages; ++stage) report_.macs[stage] += path.macs[stage];
  report_.macs[static_cast<int>(Stage::advance)] += advance_macs_;
  report_.loss_before = path.loss_before;
  report_.loss_after = path.loss_after;
  keep_path(corrector_.path());
  last_slope_ = observation.slope;
  return command_ = first_command(corrector_.path());
}

PersistentAgent::PersistentAgent(const Model& policy, const PersistentDisturbance& prior, const CorrectorOptions& path,
                                 const CostWeights& weights)
    : DisturbanceAgent(policy, persistent(prior), path, weights) {
  label_.fill(kUnknown);
}

void PersistentAgent::learn(const Observation& observation) {
  // the slip that the policy's own command would have had: its path was corrected after the proposal
  const Vec2 asked = first_command(stream_.output());
  const Vec2 slip = observation.motion - command_ + (asked - command_) * (belief().strength - 1);
  label_[kSlip] = static_cast<float>(slip.x / kSpeed);
  label_[kSlip + 1] = static_cast<float>(slip.y / kSpeed);
  report_ = stream_.observe(label_);
}

Disturbance PersistentAgent::belief() const {
  const std::span<const double> c = stream_.persistent();
  return {Vec2{c[0], c[1]} * kSpeed, std::max(kWeakest, 1 + c[2])};
}

KalmanAgent::KalmanAgent(const Model& policy, const DisturbanceFilter& filter, const CorrectorOptions& path,
                         const CostWeights& weights)
    : DisturbanceAgent(policy, {}, path, weights), filter_(filter) {}

void KalmanAgent::begin() {
  DisturbanceAgent::begin();
  mean_ = {};
  for (std::size_t i = 0; i < 3; ++i) {
    covariance_[i] = {};
    covariance_[i][i] = filter_.spread * filter_.spread;
  }
  set_disturbance({});
}

// slip = wind + (strength/effort − 1)·command, one coordinate after the other
void KalmanAgent::learn(const Observation& observation) {
  for (std::size_t i = 0; i < 3; ++i) covariance_[i][i] += filter_.drift * filter_.drift;
  const double ease = 1 / effort(last_slope_, command_);
  const Vec2 slip = (observation.motion - command_) * (1 / kSpeed), command = command_ * (1 / kSpeed);
  update({1, 0, ease * command.x}, slip.x - (mean_[0] + ((1 + mean_[2]) * ease - 1) * command.x));
  update({0, 1, ease * command.y}, slip.y - (mean_[1] + ((1 + mean_[2]) * ease - 1) * command.y));
  mean_[2] = std::max(kWeakest - 1, mean_[2]);
  set_disturbance(belief());
}

void KalmanAgent::update(const std::array<double, 3>& h, double innovation) {
  std::array<double, 3> ph = {};  // Ph
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) ph[i] += covariance_[i][j] * h[j];
  }
  double spread = filter_.noise * filter_.noise;  // hᵀPh + R
  for (std::size_t i = 0; i < 3; ++i) spread += h[i] * ph[i];
  for (std::size_t i = 0; i < 3; ++i) {
    mean_[i] += ph[i] / spread * innovation;
    for (std::size_t j = 0; j < 3; ++j) covariance_[i][j] -= ph[i] * ph[j] / spread;
  }
}

ObserverAgent::ObserverAgent(const Model& policy, const CorrectorOptions& corrector, double noise)
    : FrozenAgent(policy, observing(corrector, noise)) {
  label_.fill(kUnknown);
}

void ObserverAgent::begin() {
  FrozenAgent::begin();
  drove_ = false;
}

Vec2 ObserverAgent::act(const Observation& observation) {
  StepReport report;
  if (drove_) {
    encode_next(observation, command_, std::span(label_).subspan(kPath));
    report = stream_.observe(label_);
  }
  drove_ = true;
  command_ = FrozenAgent::act(observation);
  report.macs[static_cast<int>(Stage::advance)] += advance_macs_;
  report_ = report;
  return command_;
}

}  // namespace elastane::navigation
