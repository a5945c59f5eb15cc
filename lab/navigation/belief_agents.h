// Agents that learn from prediction errors: about a lasting disturbance, or about the next observation.
#pragma once

#include <array>

#include "lab/navigation/policy_agents.h"

namespace elastane::navigation {

// estimates the disturbance, passes it to the policy, and corrects the path with it
class DisturbanceAgent : public FrozenAgent {
 public:
  DisturbanceAgent(const Model& policy, const StreamOptions& options, const CorrectorOptions& path,
                   const CostWeights& weights);
  void begin() override;
  Vec2 act(const Observation& observation) override;

 protected:
  // updates the estimate by the observation that followed the last command
  virtual void learn(const Observation& observation) = 0;
  virtual Disturbance belief() const = 0;

  Vec2 command_;     // the last one
  Vec2 last_slope_;  // of the ground when it was given

 private:
  PathObjective objective_;
  PathCorrector corrector_;
  bool drove_ = false;
};

// The disturbance as persistent coordinates of the policy's own latent: biases of the inputs for the disturbance. Slip
// that the policy did not predict corrects them; their sensitivities are carried along (core/latent/persistent.h).
struct PersistentDisturbance {
  double spread = 0.3;          // σ of a coordinate at first
  double drift = 0.01;          // σ of its change per step
  double noise = 0.1;           // σ of slip around the prediction of a policy that knows the disturbance
  double latent_spread = 1e-3;  // σ of other errors of z
};
class PersistentAgent final : public DisturbanceAgent {
 public:
  PersistentAgent(const Model& policy, const PersistentDisturbance& prior, const CorrectorOptions& path,
                  const CostWeights& weights);

 private:
  void learn(const Observation& observation) override;
  Disturbance belief() const override;

  std::array<float, kOutputs> label_;
};

// The baseline: a Kalman filter of wind and strength that knows the dynamics. Given the command the model is linear, so
// no extension is needed.
struct DisturbanceFilter {
  double spread = 0.3, drift = 0.01, noise = 0.1;  // σ, in units of kSpeed and of strength
};
class KalmanAgent final : public DisturbanceAgent {
 public:
  KalmanAgent(const Model& policy, const DisturbanceFilter& filter, const CorrectorOptions& path,
              const CostWeights& weights);
  void begin() override;

 private:
  void learn(const Observation& observation) override;
  Disturbance belief() const override { return {Vec2{mean_[0], mean_[1]} * kSpeed, 1 + mean_[2]}; }
  void update(const std::array<double, 3>& h, double innovation);

  DisturbanceFilter filter_;
  std::array<double, 3> mean_ = {};
  std::array<std::array<double, 3>, 3> covariance_ = {};
};

// corrects z by the error of its predicted observation; the path is the policy's
class ObserverAgent final : public FrozenAgent {
 public:
  ObserverAgent(const Model& policy, const CorrectorOptions& corrector, double noise);
  void begin() override;
  Vec2 act(const Observation& observation) override;

 private:
  std::array<float, kOutputs> label_;
  Vec2 command_;
  bool drove_ = false;
};

}  // namespace elastane::navigation
