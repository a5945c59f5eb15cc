// What a robot knows of a site by its rays alone: which cells are occupied, how near the next obstacle is, and what it
// costs to drive through a cell. The frame is the dock's, which every observation shows, so nothing drifts.
//
//   place      motion, corrected by the observed dock
//   occupancy  log-odds of each cell: +1 where a ray ends, −.25 where it passes, +.5 between neighbouring ends
//   clearance  from the centre of each cell to the nearest remembered end of a ray
//   cost       1 in the open, up to 5 near obstacles, 20 where the body hardly fits, 60 if occupied: a false ray that
//              closes the only gap must not stop the robot
//
// A cell that was never seen is free. Nothing allocates after construction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lab/navigation/clearance.h"
#include "lab/navigation/observation.h"
#include "lab/navigation/site.h"

namespace elastane::navigation {

class SiteMap final : public ClearanceSource {
 public:
  explicit SiteMap(int cells_per_unit = 48);

  void begin();  // knows nothing
  void observe(const Observation& observation);

  Vec2 place() const { return place_; }  // of the robot; the dock is at (0, 0)
  int side() const { return side_; }     // cells of the square grid
  int count() const { return side_ * side_; }
  double cell() const { return cell_; }  // its length
  int at(Vec2 p) const;                  // the cell of a place, the nearest one if it lies outside
  Vec2 centre(int i) const { return {(i % side_ - side_ / 2 + 0.5) * cell_, (i / side_ - side_ / 2 + 0.5) * cell_}; }
  double cost(int i) const { return cost_[static_cast<std::size_t>(i)]; }
  bool occupied(int i) const { return occupied_[static_cast<std::size_t>(i)] != 0; }
  bool dearer() const { return dearer_; }  // did the last observation raise the cost of a cell?

  // The site is a unit square, so the places of robot and dock bound it: the first and last row and column of cells.
  struct Bounds {
    int left, right, low, high;
  };
  Bounds bounds() const;

  // at a point relative to the robot
  Clearance clearance(Vec2 p) const override;

 private:
  static constexpr int kReach = 3;  // cells on each side whose clearance an occupied cell decides

  void pass(Vec2 from, Vec2 direction, double length);
  void join(Vec2 from, Vec2 to);
  void add(int i, float by, Vec2 point);
  void occupy(int i, Vec2 point);
  void release(int i);
  void find_nearest(int i);
  void set_clearance(int i, double distance, int owner);
  bool has_room(int i) const;
  template <class Visit>
  void around(int i, Visit visit) const;

  int side_;
  double cell_;
  Vec2 place_, least_, most_;
  int steps_ = 0;
  bool dearer_ = false;

  //                                     meaning                                        shape
  std::vector<float> odds_;  // log-odds of an obstacle                        [cells]
  std::vector<std::uint8_t> occupied_;
  std::vector<Vec2> point_;       // where a ray ended in an occupied cell          [cells]
  std::vector<double> distance_;  // from the centre to the nearest point           [cells]
  std::vector<int> owner_;        // the cell of that point; −1: none is near       [cells]
  std::vector<double> cost_;      //                                                [cells]
};

}  // namespace elastane::navigation
