// An episode in progress: what the agent observes, where a move leads, how long its path has become.
#pragma once

#include <cstdint>

#include "lab/maze/episode.h"
#include "lab/maze/observation.h"

namespace elastane::maze {

// in units of the shortest path: where an episode ends, and up to where arriving is a success
inline constexpr double kLengthLimit = 4, kSuccessRatio = 3;

class Environment {
 public:
  explicit Environment(const Episode& episode) : episode_(episode), now_(episode.before), position_(episode.start) {
    apply_change();
  }

  Observation observe() const;
  void step(int move);  // into a wall, or kStay: the agent stays, and a length of 1 is counted
  bool arrived() const { return position_ == episode_.goal; }
  bool over() const { return arrived() || length_ + 1 > kLengthLimit * episode_.shortest; }

  int steps() const { return steps_; }
  Cell position() const { return position_; }
  double length() const { return length_; }
  double ratio() const { return episode_.shortest > 0 ? length_ / episode_.shortest : 1; }
  bool bumped() const { return bumped_; }
  const Grid& grid() const { return now_; }  // as it is in this step
  const Episode& episode() const { return episode_; }

 private:
  void apply_change();

  const Episode& episode_;
  Grid now_;
  Cell position_;
  double length_ = 0;
  int steps_ = 0, last_move_ = kStay;
  bool bumped_ = false, changed_ = false;
};

// the kind of cell that the agent stands on, by its neighbours as they are in this step; tables count by it
enum class CellKind : std::uint8_t { corridor, junction, two_exits, closed_door, dead_end, room };
inline constexpr int kCellKinds = 6;
inline constexpr const char* kCellKindNames[kCellKinds] = {"corridor",    "junction", "two exits",
                                                           "closed door", "dead end", "room"};
CellKind cell_kind(const Episode& episode, const Grid& now, Cell at);

}  // namespace elastane::maze
