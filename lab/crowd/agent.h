// Robots that cross: who takes part in a benchmark of crossings.
#pragma once

#include "lab/crowd/crossing.h"

namespace elastane::crowd {

class Agent {
 public:
  virtual ~Agent() = default;
  virtual void reset() = 0;                // before each crossing
  virtual Vec2 act(const View& view) = 0;  // the velocity to take now
};

// straight to the goal
class StraightAgent final : public Agent {
 public:
  void reset() override {}
  Vec2 act(const View& view) override { return wanted_velocity(view.robot.position, view.goal); }
};

// ORCA, as if people would make way too; `safety` metres are added to every radius
class OrcaAgent final : public Agent {
 public:
  OrcaAgent(double safety, std::size_t people)
      : orca_({.time_step = kTimeStep, .speed_limit = kSpeedLimit}, people), safety_(safety) {}
  void reset() override {}
  Vec2 act(const View& view) override {
    return orca_.choose(view.robot, view.people, wanted_velocity(view.robot.position, view.goal), kClearance + safety_);
  }

 private:
  planners::Orca orca_;
  double safety_;
};

}  // namespace elastane::crowd
