// Agents that plan by the policy's proposal and what the rays say, without touching a latent: iLQR, receding-horizon
// control, and RMPflow. They are told what every agent is told.
#pragma once

#include "elastane/planners/mpc.h"
#include "elastane/planners/rmp_leaves.h"
#include "lab/navigation/policy_agents.h"

namespace elastane::navigation {

// a point that goes where it is told: x⁺ = x + u, from stop to stop of a way
class StopToStop final : public planners::Dynamics {
 public:
  int states() const override { return 2; }
  int controls() const override { return 2; }
  void step(std::span<const double> x, std::span<const double> u, std::span<double> next) const override;
  void linearise(std::span<const double> x, std::span<const double> u, DoubleRows a, DoubleRows b) const override;
};

// what a stop costs: the tastes of WayObjective, stop by stop
class StopCost final : public planners::StageCost {
 public:
  explicit StopCost(const WayTastes& tastes) : tastes_(tastes) {}
  void look(const RayView& view, Point goal, std::span<const Point> proposed);
  double value(int h, std::span<const double> x, std::span<const double> u) const override;
  void expand(int h, std::span<const double> x, std::span<const double> u,
              const planners::CostExpansion& to) const override;

 private:
  WayTastes tastes_;
  const RayView* view_ = nullptr;
  Point goal_;
  std::span<const Point> proposed_;
};

// sweeps over the first stops of the proposal: one is iLQR-lite, several are receding-horizon control
class SweepAgent final : public FrozenAgent {
 public:
  SweepAgent(const Model& policy, const planners::IlqrOptions& options, const WayTastes& tastes);
  Point act(const Sight& sight) override;

 private:
  StopCost cost_;
  planners::Ilqr planner_;
  planners::Matrix controls_;
};

struct FlowOptions {
  int target = 3;  // the stop of the proposal that attracts
  planners::GoalOptions goal = {.gain = 2.0, .damping = 0.3, .softness = 0.5};
  planners::ObstacleOptions obstacle;
};
// attracted by a stop of the proposal, repelled by every hit of a ray
class FlowAgent final : public FrozenAgent {
 public:
  FlowAgent(const Model& policy, const FlowOptions& options);
  void begin() override;
  Point act(const Sight& sight) override;

 private:
  FlowOptions options_;
  planners::RmpFlow flow_;
  Point velocity_;
};

}  // namespace elastane::navigation
