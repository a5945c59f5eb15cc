// Rows that come late: put in their place, as if they had come in time, by replaying what came after them.
//
// States are kept that are one to two windows old, and the rows since; so a row that is at most one window late costs a
// replay of at most two.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "elastane/core/forecast/forecaster.h"
#include "elastane/io/forecast_snapshot.h"

namespace elastane::app {

class LateRows {
 public:
  // ticks that a row may be late; 0: keeps nothing
  explicit LateRows(std::uint64_t ticks = 0) : ticks_(ticks) {}

  void begin(const Forecaster& forecaster);  // before its first row, or the first since it was restored
  // the row that the forecaster was given last
  void follow(PlacedRow row, const Forecaster& forecaster);

  // is there a place for it, in which no row is?
  bool has_place(std::uint64_t tick, const Forecaster& forecaster) const;
  // brings the forecaster to where it would be had the row come in its place; reports on the newest row
  ForecastReport insert(PlacedRow row, const Budget& budget, Forecaster& forecaster);

  void save(ReplaySnapshot& to) const;
  Status restore(const ReplaySnapshot& from, const Forecaster& forecaster);

 private:
  struct Checkpoint {
    std::uint64_t tick = 0;  // of the next row
    std::vector<double> state;
  };
  static Checkpoint checkpoint(const Forecaster& forecaster);

  std::uint64_t ticks_;
  Checkpoint older_, newer_;
  std::deque<PlacedRow> rows_;  // since the older one, by tick
};

}  // namespace elastane::app
