// Agents that drive by a policy network: unchanged; with its latent corrected; with its proposed path corrected; or with
// its command filtered.
#pragma once

#include <optional>

#include "elastane/core/stream/stream.h"
#include "lab/navigation/agent.h"
#include "lab/navigation/path_corrector.h"

namespace elastane::navigation {

// the policy alone; the base of all others
class FrozenAgent : public Agent {
 public:
  explicit FrozenAgent(const Model& policy, const StreamOptions& options = {});
  void begin() override;
  Vec2 act(const Observation& observation) override;

 protected:
  // the known disturbance, an input of the policy from the next step on
  void set_disturbance(const Disturbance& disturbance) { encode(disturbance, x_); }
  void propose(const Observation& observation);  // advances the stream and updates the obstacles
  Stream stream_;
  ObstacleMap obstacles_;
  std::int64_t advance_macs_ = 0;  // of the last advance

 private:
  std::array<float, kInputs> x_ = {};
};

// corrects z by the cost of the path it proposes
class LatentAgent : public FrozenAgent {
 public:
  LatentAgent(const Model& policy, const CorrectorOptions& corrector, const CostWeights& weights, double fade = 0,
              bool fast = false);
  Vec2 act(const Observation& observation) override;

 protected:
  PathObjective objective_;

 private:
  bool fast_;  // as fast as the robot can along the corrected path
};

// as fast as the robot can, in the direction of the first two waypoints; near the dock the first command
Vec2 full_speed(std::span<const Vec2> path, Vec2 goal);

// the same with a metric that is learned once, in pre-training (pretraining.h), and then kept
class StaticAgent final : public LatentAgent {
 public:
  using LatentAgent::LatentAgent;
  void begin() override;
  // ends pre-training: from now on, every episode begins with the corrector as it is now
  void keep_metric() { pretrained_ = stream_; }

 private:
  std::optional<Stream> pretrained_;  // restored before each episode
};

// corrects the proposed path, not the latent
class PathAgent final : public FrozenAgent {
 public:
  PathAgent(const Model& policy, const CorrectorOptions& corrector, const CostWeights& weights);
  void begin() override;
  Vec2 act(const Observation& observation) override;

 private:
  PathObjective objective_;
  PathCorrector corrector_;
};

// corrects the latent, which remembers on which side to pass an obstacle; then the path that it proposes
class LatentAndPathAgent final : public LatentAgent {
 public:
  LatentAndPathAgent(const Model& policy, const CorrectorOptions& latent, double fade, const CorrectorOptions& path,
                     const CostWeights& weights);
  void begin() override;
  Vec2 act(const Observation& observation) override;

 private:
  PathCorrector corrector_;
};

// turns a command that would come too close along the obstacle
struct FilterOptions {
  double margin = 0.01;  // free space to keep around the body
  double pace = 0.5;     // share of the free space beyond it that one step may use
};
Vec2 keep_clear(Vec2 command, const ClearanceSource& obstacles, const FilterOptions& options);

class FilteredAgent final : public FrozenAgent {
 public:
  FilteredAgent(const Model& policy, const FilterOptions& options) : FrozenAgent(policy), options_(options) {}
  Vec2 act(const Observation& observation) override;

 private:
  FilterOptions options_;
};

}  // namespace elastane::navigation
