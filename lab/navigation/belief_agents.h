// Agents that learn from what they predicted wrongly: about the air, which lasts, or about the next sight.
#pragma once

#include <array>
#include <vector>

#include "lab/navigation/policy_agents.h"

namespace elastane::navigation {

// Believes something about the air, tells the policy, and corrects the way by it.
class AirAgent : public FrozenAgent {
 public:
  AirAgent(const Model& policy, const StreamOptions& options, const CorrectorOptions& way, const WayTastes& tastes);
  void begin() override;
  Point act(const Sight& sight) override;

 protected:
  // what the sight says about the air, after the last command was driven
  virtual void learn(const Sight& sight) = 0;
  virtual Air belief() const = 0;

  Point command_;     // the last
  Point last_slope_;  // of the ground when it was given

 private:
  WayObjective objective_;
  WayCorrector corrector_;
  bool drove_ = false;
};

// The air as persistent coordinates of the policy's own latent: biases of the inputs that it is told the air by. What
// slips otherwise than it expected corrects them, with their sensitivity carried along (core/persistent.h).
struct PersistentAir {
  double spread = 0.3;          // σ of a coordinate before anything is seen
  double drift = 0.01;          // σ of what it may change by in a step
  double noise = 0.1;           // σ of slip around what a policy expects that knows the air
  double latent_spread = 1e-3;  // σ of what z may be off by otherwise
};
class PersistentAgent final : public AirAgent {
 public:
  PersistentAgent(const Model& policy, const PersistentAir& air, const CorrectorOptions& way, const WayTastes& tastes);

 private:
  void learn(const Sight& sight) override;
  Air belief() const override;

  std::array<float, kOutputs> label_;
};

// The rival to name: a Kalman filter of wind and strength that knows how a robot is driven. Given the command the
// model is linear, so nothing is extended about it.
struct KalmanAir {
  double spread = 0.3, drift = 0.01, noise = 0.1;  // σ, in units of kSpeed and of strength
};
class KalmanAgent final : public AirAgent {
 public:
  KalmanAgent(const Model& policy, const KalmanAir& air, const CorrectorOptions& way, const WayTastes& tastes);
  void begin() override;

 private:
  void learn(const Sight& sight) override;
  Air belief() const override { return {Point{mean_[0], mean_[1]} * kSpeed, 1 + mean_[2]}; }
  void update(const std::array<double, 3>& h, double innovation);

  KalmanAir air_;
  std::array<double, 3> mean_ = {};
  std::array<std::array<double, 3>, 3> covariance_ = {};
};

// z is corrected by what it expected to see and did not; the way is left to the policy
class ObserverAgent final : public FrozenAgent {
 public:
  ObserverAgent(const Model& policy, const CorrectorOptions& corrector, double noise);
  void begin() override;
  Point act(const Sight& sight) override;

 private:
  std::array<float, kOutputs> label_;
  Point command_;
  bool drove_ = false;
};

}  // namespace elastane::navigation
