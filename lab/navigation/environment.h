// One episode as it runs: a robot drives home over a site in which things happen.
//
//   Environment environment(site, draw_episode(routed, {.mode = Mode::dragged}, seed));
//   while (!environment.over()) environment.step(agent.act(environment.observe()));
//
// A robot that touches an obstacle slides along it.
#pragma once

#include "lab/navigation/episode.h"
#include "lab/navigation/observation.h"

namespace elastane::navigation {

// In Mode::lost the observed dock drifts by this much per step (σ), unless the robot is this near it.
inline constexpr double kDockDrift = 0.004, kDockSeen = 0.15;

class Environment {
 public:
  Environment(const Site& site, const Episode& episode);

  Observation observe() const;  // with the noise of this step: repeated calls return the same
  void step(Vec2 command);      // shortened to kSpeed; a command of NaN means to stand still
  bool over() const { return arrived() || steps_ >= episode_.limit; }
  bool arrived() const { return arrived_; }

  int steps() const { return steps_; }
  Vec2 position() const { return position_; }
  Vec2 moved() const { return moved_; }       // in the last step
  bool touched() const { return touched_; }   // an obstacle, in the last step
  int contacts() const { return contacts_; }  // steps with contact
  const Site& site() const { return now_; }   // as it is in this step
  const Episode& episode() const { return episode_; }
  Disturbance disturbance() const { return episode_.disturbance(steps_); }

 private:
  void apply_events();
  bool push_out();

  Site now_;
  Episode episode_;
  std::size_t fixed_;  // discs that do not patrol
  Vec2 position_, moved_;
  Vec2 drift_;  // of the observed dock, where it is lost
  int steps_ = 0, contacts_ = 0;
  bool touched_ = false, arrived_ = false;
};

}  // namespace elastane::navigation
