// One walk through a maze in which doors change: what is seen, what a move leads to, how long it was.
#pragma once

#include <array>
#include <cstdint>

#include "lab/maze/task.h"

namespace elastane::maze {

inline constexpr int kView = 3, kViewCells = kView * kView;
enum class Seen : std::uint8_t { free, wall, hidden };
using View = std::array<Seen, kViewCells>;                                  // row by row, the walker in the middle
constexpr Cell view_step(int k) { return {k % kView - 1, k / kView - 1}; }  // from the walker to cell k of its view

// Of the cells around, those in a line of sight: to a diagonal neighbour it passes between two cells, and if one of
// them is a wall the neighbour is hidden. So nobody sees through walls or around corners: what a node's exits are is
// seen at the node.
View look_around(const Grid& grid, Cell at);

// what a walker is told in a step
struct Sight {
  View view = {};
  Cell position, goal;
  int last_way = kStay;  // the move before, if it succeeded
  bool bumped = false;   // it did not
};

// Ways count up to so many times the shortest; success is judged within kWithin of it
inline constexpr double kLongest = 4, kWithin = 3;

class Walk {
 public:
  explicit Walk(const Task& task) : task_(task), now_(task.before), position_(task.start) { happen(); }

  Sight look() const;
  void move(int way);  // into a wall, or kStay: it stays, at the length of a move
  bool arrived() const { return position_ == task_.goal; }
  bool over() const { return arrived() || length_ + 1 > kLongest * task_.shortest; }

  int step() const { return step_; }
  Cell position() const { return position_; }
  double length() const { return length_; }
  double ratio() const { return task_.shortest > 0 ? length_ / task_.shortest : 1; }
  bool bumped() const { return bumped_; }
  const Grid& grid() const { return now_; }  // as it is in this step
  const Task& task() const { return task_; }

 private:
  void happen();

  const Task& task_;
  Grid now_;
  Cell position_;
  double length_ = 0;
  int step_ = 0, last_way_ = kStay;
  bool bumped_ = false, changed_ = false;
};

// what kind of place a walker is at, for tables: what is next to it counts as the maze is in this step
enum class Place : std::uint8_t { corridor, junction, two_exits, closed_door, dead_end, room };
inline constexpr int kPlaces = 6;
inline constexpr const char* kPlaceNames[kPlaces] = {"corridor",    "junction", "two exits",
                                                     "closed door", "dead end", "room"};
Place place_of(const Task& task, const Grid& now, Cell at);

}  // namespace elastane::maze
