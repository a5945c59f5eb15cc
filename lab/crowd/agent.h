// An agent: turns the observation of each step into a velocity of the robot.
#pragma once

#include "lab/crowd/environment.h"

namespace elastane::crowd {

class Agent {
 public:
  virtual ~Agent() = default;
  virtual void begin() = 0;                              // a new episode
  virtual Vec2 act(const Observation& observation) = 0;  // the velocity to take now
};

// walks straight to the goal
class StraightAgent final : public Agent {
 public:
  void begin() override {}
  Vec2 act(const Observation& observation) override {
    return wanted_velocity(observation.robot.position, observation.goal);
  }
};

// ORCA, as if people avoided the robot too; `safety` metres are added to every radius
class OrcaAgent final : public Agent {
 public:
  OrcaAgent(double safety, std::size_t people)
      : orca_({.time_step = kTimeStep, .speed_limit = kSpeedLimit}, people), safety_(safety) {}
  void begin() override {}
  Vec2 act(const Observation& observation) override {
    return orca_.choose(observation.robot, observation.people,
                        wanted_velocity(observation.robot.position, observation.goal), kClearance + safety_);
  }

 private:
  planners::Orca orca_;
  double safety_;
};

}  // namespace elastane::crowd
