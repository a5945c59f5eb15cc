#include "lab/navigation/belief_agents.h"

#include <algorithm>
#include <limits>

namespace elastane::navigation {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
constexpr double kWeakest = 0.3;  // a drive that is believed weaker than this is not believed

StreamOptions persistent(const PersistentAir& air) {
  StreamOptions options;
  options.noise = {static_cast<float>(air.noise)};
  options.corrector = CorrectorOptions{};
  // the prior says already how large a step may be
  options.corrector->trust.radius = 10;
  options.corrector->trust.largest = 1e3;
  options.latent.judged = kWay + 2;
  PersistentOptions& p = options.latent.persistent;
  p.coordinates.input_bias = true;
  p.coordinates.adapted_inputs = kAir;
  p.latent_variance = air.latent_spread * air.latent_spread;
  p.variance = air.spread * air.spread;
  p.noise = air.drift * air.drift;
  return options;
}

StreamOptions observing(const CorrectorOptions& corrector, double noise) {
  StreamOptions options;
  options.corrector = corrector;
  options.noise = {static_cast<float>(noise)};
  return options;
}

}  // namespace

AirAgent::AirAgent(const Model& policy, const StreamOptions& options, const CorrectorOptions& way,
                   const WayTastes& tastes)
    : FrozenAgent(policy, options), objective_(tastes), corrector_(way) {}

void AirAgent::begin() {
  FrozenAgent::begin();
  corrector_.reset();
  drove_ = false;
}

Point AirAgent::act(const Sight& sight) {
  report_ = {};
  if (drove_) learn(sight);
  drove_ = true;
  propose(sight);
  objective_.look(view_, sight.goal, stream_.output(), belief());
  const StepReport way = corrector_.correct(objective_, stream_.output());
  for (int stage = 0; stage < kStages; ++stage) report_.macs[stage] += way.macs[stage];
  report_.macs[static_cast<int>(Stage::advance)] += advance_macs_;
  report_.loss_before = way.loss_before;
  report_.loss_after = way.loss_after;
  show(corrector_.way());
  last_slope_ = sight.slope;
  return command_ = first_command(corrector_.way());
}

PersistentAgent::PersistentAgent(const Model& policy, const PersistentAir& air, const CorrectorOptions& way,
                                 const WayTastes& tastes)
    : AirAgent(policy, persistent(air), way, tastes) {
  label_.fill(kUnknown);
}

void PersistentAgent::learn(const Sight& sight) {
  // slip as it was against what the policy would have done by itself: the way was corrected after it spoke
  const Point asked = first_command(stream_.output());
  const Point slip = sight.motion - command_ + (asked - command_) * (belief().strength - 1);
  label_[kSlip] = static_cast<float>(slip.x / kSpeed);
  label_[kSlip + 1] = static_cast<float>(slip.y / kSpeed);
  report_ = stream_.observe(label_);
}

Air PersistentAgent::belief() const {
  const std::span<const double> c = stream_.persistent();
  return {Point{c[0], c[1]} * kSpeed, std::max(kWeakest, 1 + c[2])};
}

KalmanAgent::KalmanAgent(const Model& policy, const KalmanAir& air, const CorrectorOptions& way,
                         const WayTastes& tastes)
    : AirAgent(policy, {}, way, tastes), air_(air) {}

void KalmanAgent::begin() {
  AirAgent::begin();
  mean_ = {};
  for (std::size_t i = 0; i < 3; ++i) {
    covariance_[i] = {};
    covariance_[i][i] = air_.spread * air_.spread;
  }
  tell({});
}

// slip = wind + (strength/effort − 1)·command, one coordinate after the other
void KalmanAgent::learn(const Sight& sight) {
  for (std::size_t i = 0; i < 3; ++i) covariance_[i][i] += air_.drift * air_.drift;
  const double ease = 1 / effort(last_slope_, command_);
  const Point slip = (sight.motion - command_) * (1 / kSpeed), command = command_ * (1 / kSpeed);
  update({1, 0, ease * command.x}, slip.x - (mean_[0] + ((1 + mean_[2]) * ease - 1) * command.x));
  update({0, 1, ease * command.y}, slip.y - (mean_[1] + ((1 + mean_[2]) * ease - 1) * command.y));
  mean_[2] = std::max(kWeakest - 1, mean_[2]);
  tell(belief());
}

void KalmanAgent::update(const std::array<double, 3>& h, double innovation) {
  std::array<double, 3> ph = {};  // Ph
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) ph[i] += covariance_[i][j] * h[j];
  }
  double spread = air_.noise * air_.noise;  // hᵀPh + R
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

Point ObserverAgent::act(const Sight& sight) {
  StepReport report;
  if (drove_) {
    speak_next(sight, command_, std::span(label_).subspan(kWay));
    report = stream_.observe(label_);
  }
  drove_ = true;
  command_ = FrozenAgent::act(sight);
  report.macs[static_cast<int>(Stage::advance)] += advance_macs_;
  report_ = report;
  return command_;
}

}  // namespace elastane::navigation
