// An episode as data: where the robot starts, what happens on the site, and when.
//
// All events and all noise depend on the episode alone, never on what the robot does.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/navigation/route.h"

namespace elastane::navigation {

inline constexpr int kLimit = 256;  // steps

enum class Mode : std::uint8_t {
  still,     // nothing happens
  dragged,   // a crate is placed on the path
  moving,    // discs patrol
  drifting,  // wind rises, and the drive weakens
  blind,     // the rays fail for some steps at a time, and a crate is placed on the path
  windy,     // a crate is placed on the path, and the wind of `drifting` blows
  lost,      // a crate is placed on the path, and the dock is observed with an error that grows, except nearby
};

inline constexpr const char* kModeNames[] = {"still", "dragged", "moving", "drifting", "blind", "windy", "lost"};

// is a crate placed in episodes of this mode?
inline bool places_crate(Mode mode) {
  return mode == Mode::dragged || mode == Mode::blind || mode == Mode::windy || mode == Mode::lost;
}
inline bool has_wind(Mode mode) { return mode == Mode::drifting || mode == Mode::windy; }

// what moves the robot besides its command: motion = strength·command/effort + wind
struct Disturbance {
  Vec2 wind;  // per step
  double strength = 1;
};

// a disc that moves back and forth
struct Patrol {
  Disc disc;
  Vec2 from, to;
  double pace = 0;   // per step
  double phase = 0;  // at the start, as a share of the round trip
  Disc at(int step) const;
};

struct Episode {
  std::uint64_t seed = 0;
  Mode mode = Mode::still;
  Vec2 start;
  int limit = kLimit;
  // dragged
  int change_at = kLimit;  // the first step that sees the crate in its new position
  int when = 0;            // early, middle, late
  int crate = 0;           // small, medium, large
  Vec2 dropped;            // its new position
  // moving
  std::vector<Patrol> patrols;
  // drifting
  double wind_turn = 0, wind_pace = 0;  // direction of the wind at first, and its change per step
  double wind_speed = 0, strength = 1;
  int disturbed_at = kLimit;  // the first disturbed step
  // blind
  int blind_for = 0, blind_every = 0;  // steps

  int best_steps = 0;  // of the oracle; 0: not known

  Disturbance disturbance(int step) const;
  bool blind(int step) const;
  bool crate_arrives() const { return places_crate(mode) && change_at < limit; }  // before the episode ends
};

struct EpisodeOptions {
  Mode mode = Mode::still;
  int when = -1, crate = -1;  // −1: drawn
  double wind = 0.35;         // the strongest, in units of kSpeed
  double least_strength = 0.7;
};

// The start is at least 55 steps from home. Events are drawn such that a path home remains.
Episode draw_episode(const RoutedSite& site, const EpisodeOptions& options, std::uint64_t seed);

}  // namespace elastane::navigation
