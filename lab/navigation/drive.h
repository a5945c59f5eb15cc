// One episode: a robot that drives home over a site in which things happen.
//
//   Scenario scenario = draw_scenario(site, route, {.mode = Mode::dragged}, seed);
//   Drive drive(site, scenario);
//   while (!drive.over()) drive.move(agent.act(drive.look()));
//
// What happens, and all noise, depends on the scenario alone, not on what the robot does. Contact slides.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lab/navigation/route.h"
#include "lab/navigation/site.h"

namespace elastane::navigation {

inline constexpr int kRays = 24;
inline constexpr double kRange = 0.35;
inline constexpr double kRayNoise = 0.004, kGoalNoise = 0.002, kMotionNoise = 0.0004;
inline constexpr int kLimit = 256;  // steps

Point ray_direction(int ray);

enum class Mode : std::uint8_t {
  still,     // nothing happens
  dragged,   // a crate is put on the way
  moving,    // discs patrol
  drifting,  // wind comes up, the drive weakens
  blind,     // rays fail for stretches of time, and a crate is put on the way
};

inline constexpr const char* kModeNames[] = {"still", "dragged", "moving", "drifting", "blind"};

// what the robot is told in a step, all of it noisy
struct Sight {
  std::array<double, kRays> rays = {};  // to the first obstacle, kRange if there is none that near; NaN: no answer
  Point goal;                           // from the robot to the dock
  Point motion;                         // how it moved in the last step
  Point slope;                          // of the ground under it
};

// what moves the robot beside its command: moved = strength·command/effort + wind
struct Air {
  Point wind;  // a step
  double strength = 1;
};

struct Patrol {
  Disc disc;
  Point from, to;
  double pace = 0;   // a step
  double phase = 0;  // share of the round trip at the start
  Disc at(int step) const;
};

struct Scenario {
  std::uint64_t seed = 0;
  Mode mode = Mode::still;
  Point start;
  int limit = kLimit;
  // dragged
  int change_at = kLimit;  // first step that sees it
  int when = 0;            // early, middle, late
  int crate = 0;           // small, medium, large
  Point dropped;           // where it lands
  // moving
  std::vector<Patrol> patrols;
  // drifting: the air at a step
  double wind_turn = 0, wind_pace = 0;  // direction at the start, its change a step
  double wind_speed = 0, strength = 1;
  int air_at = kLimit;  // from when on
  // blind
  int blind_for = 0, blind_every = 0;  // steps

  Air air(int step) const;
  bool blind(int step) const;
};

struct ScenarioOptions {
  Mode mode = Mode::still;
  int when = -1, crate = -1;  // by chance, unless given
  double wind = 0.35;         // largest, in units of kSpeed
  double least_strength = 0.7;
};

// a start from which the way home is long enough; what happens, so that a way home remains
Scenario draw_scenario(const Site& site, const Route& route, const ScenarioOptions& options, std::uint64_t seed);

class Drive {
 public:
  Drive(const Site& site, const Scenario& scenario);

  Sight look();              // with the noise of this step; the same whenever asked
  void move(Point command);  // at most kSpeed of it
  bool over() const { return arrived() || step_ >= scenario_.limit; }
  bool arrived() const { return arrived_; }

  int step() const { return step_; }
  Point position() const { return position_; }
  Point moved() const { return moved_; }
  bool touched() const { return touched_; }   // something, in the last step
  int contacts() const { return contacts_; }  // steps that touched
  const Site& site() const { return now_; }   // as it is in this step
  const Scenario& scenario() const { return scenario_; }
  Air air() const { return scenario_.air(step_); }

 private:
  void happen();
  bool push_out();

  Site now_;
  Scenario scenario_;
  std::size_t fixed_;  // discs that do not patrol
  Point position_, moved_;
  int step_ = 0, contacts_ = 0;
  bool touched_ = false, arrived_ = false;
};

}  // namespace elastane::navigation
