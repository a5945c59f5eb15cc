// Circle crossing: people on a circle walk to its other side, and a robot that they do not see walks through them.
//
//   Crossing crossing(scene);
//   while (!crossing.ended()) crossing.step(agent.act(crossing.view()));
//
// The rules are those of CrowdNav (Chen, Liu, Kreiss, Alahi 2019, "Crowd-robot interaction"), also where one might have
// chosen others: a collision is judged as if people went on as they came, not as they are about to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lab/crowd/scene.h"
#include "lab/crowd/walkers.h"

namespace elastane::crowd {

inline constexpr double kLastStart = 24;  // seconds: the limit is 25, and who starts a step later than this has lost

// all that a robot knows: people's places and velocities, not where they want to go
struct View {
  MovingDisc robot;
  Vec2 goal;
  std::span<const MovingDisc> people;
};

enum class End : std::uint8_t { going, reached, collided, too_late };

// The smallest distance between two discs' borders in a step in which both keep their velocity; below 0: they overlap
double closest(const MovingDisc& a, const MovingDisc& b, double seconds);

class Crossing {
 public:
  explicit Crossing(const Scene& scene);

  View view() const { return {robot_, kRobotGoal, people_}; }
  End end() const { return end_; }
  bool ended() const { return end_ != End::going; }
  int steps() const { return steps_; }
  double time() const { return steps_ * kTimeStep; }  // seconds
  double nearest() const { return nearest_; }         // that anybody's border was to the robot's

  // the robot takes this velocity, shortened to the speed limit; what is no number means to stand still
  void step(Vec2 velocity);

 private:
  MovingDisc robot_;
  std::vector<MovingDisc> people_, next_;
  std::vector<Vec2> goals_;
  Walkers walkers_;
  int steps_ = 0;
  End end_ = End::going;
  double nearest_;
};

}  // namespace elastane::crowd
