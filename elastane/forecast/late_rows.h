// Late rows of a forecaster: each is inserted at its tick by replaying the rows after it, as if it had arrived in time.
//
// Two states are kept, at most one and two windows old, and the rows since the older one. So a row that is at most one
// window late costs a replay of at most two windows.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "elastane/core/forecast/forecaster.h"
#include "elastane/forecast/forecast_snapshot.h"

namespace elastane {

class LateRows {
 public:
  // the number of ticks that a row may be late; 0: keeps nothing and accepts nothing
  explicit LateRows(std::uint64_t window = 0) : window_(window) {}

  // call before the forecaster's first row, and after restoring its state
  void start(const Forecaster& forecaster);
  // call after the forecaster has observed `row`
  void record_row(PlacedRow row, const Forecaster& forecaster);

  // true if a row of this tick is not too late, and its tick has no row yet
  bool accepts(std::uint64_t tick, const Forecaster& forecaster) const;
  // Inserts a row that is accepted. The forecaster is then in the state it would be in had the row arrived in time. The
  // report is that of the newest row.
  ForecastReport insert_row(PlacedRow row, const Budget& budget, Forecaster& forecaster);

  void save(LateRowsSnapshot& to) const;
  Status restore(const LateRowsSnapshot& from, const Forecaster& forecaster);

 private:
  struct Checkpoint {
    std::uint64_t tick = 0;  // of the next row
    std::vector<double> state;
  };
  static Checkpoint checkpoint(const Forecaster& forecaster);

  std::uint64_t window_;
  Checkpoint older_, newer_;
  std::deque<PlacedRow> rows_;  // since the older checkpoint, by tick
};

}  // namespace elastane
