// Agents that plan from the policy's proposal and the rays, without a latent: iLQR, receding-horizon control, RMPflow.
#pragma once

#include "elastane/planners/mpc.h"
#include "elastane/planners/rmp_leaves.h"
#include "lab/navigation/policy_agents.h"

namespace elastane::navigation {

// from waypoint to waypoint: x⁺ = x + u
class WaypointDynamics final : public planners::Dynamics {
 public:
  int states() const override { return 2; }
  int controls() const override { return 2; }
  void step(std::span<const double> x, std::span<const double> u, std::span<double> next) const override;
  void linearise(std::span<const double> x, std::span<const double> u, DoubleRows a, DoubleRows b) const override;
};

// the cost of a waypoint, by the weights of PathObjective
class WaypointCost final : public planners::StageCost {
 public:
  explicit WaypointCost(const CostWeights& weights) : weights_(weights) {}
  void begin(const ClearanceSource& obstacles, Vec2 goal, std::span<const Vec2> proposed,
             const HomeDistance* map = nullptr);
  double value(int h, std::span<const double> x, std::span<const double> u) const override;
  void expand(int h, std::span<const double> x, std::span<const double> u,
              const planners::CostExpansion& to) const override;

 private:
  // by how much a waypoint is farther from home than it should be, in units of its tolerance; with its slope
  HomeDistance::Value missing_progress(int h, Vec2 p) const;

  CostWeights weights_;
  const ClearanceSource* obstacles_ = nullptr;
  const HomeDistance* map_ = nullptr;
  Vec2 goal_;
  double home_ = 0;  // how far it is home from here over the map
  std::span<const Vec2> proposed_;
};

// sweeps over the first waypoints of a proposed path: one is iLQR-lite, several are receding-horizon control
class PathSweep {
 public:
  PathSweep(const planners::IlqrOptions& options, const CostWeights& weights);
  planners::IlqrReport improve(const ClearanceSource& obstacles, Vec2 goal, std::span<Vec2> path,
                               const HomeDistance* map = nullptr);

 private:
  WaypointCost cost_;
  planners::Ilqr planner_;
  planners::Matrix controls_;
};

// what a step reports about its sweeps
void report_sweeps(const planners::IlqrReport& sweeps, StepReport& report);

class SweepAgent final : public FrozenAgent {
 public:
  SweepAgent(const Model& policy, const planners::IlqrOptions& options, const CostWeights& weights);
  Vec2 act(const Observation& observation) override;

 private:
  PathSweep sweep_;
};

struct FlowOptions {
  int target = 3;  // the waypoint of the proposal that attracts
  planners::GoalOptions goal = {.gain = 2.0, .damping = 0.3, .softness = 0.5};
  planners::ObstacleOptions obstacle;
};
// attracted by a waypoint of the proposal, repelled by every hit of a ray
class FlowAgent final : public FrozenAgent {
 public:
  FlowAgent(const Model& policy, const FlowOptions& options);
  void begin() override;
  Vec2 act(const Observation& observation) override;

 private:
  FlowOptions options_;
  planners::RmpFlow flow_;
  Vec2 velocity_;
};

}  // namespace elastane::navigation
