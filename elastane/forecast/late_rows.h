// Late rows of a forecaster: each is inserted at its tick by replaying the rows after it, as if it had arrived in time.
//
// Two states are kept, at most one and two windows old, and the rows since the older one. The same is kept for shorter
// windows, each a quarter as long as the next. So a row that is d ticks late costs a replay of at most 8 d rows or 32, and
// never of more than two windows.
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
  explicit LateRows(std::uint64_t window = 0);

  // call before the forecaster's first row, and after restoring its state
  void start(const Forecaster& forecaster);
  // call after the forecaster has observed `row`
  void record_row(PlacedRow row, const Forecaster& forecaster);

  // true if a row of this tick is not too late, and its tick has no row yet
  bool accepts(std::uint64_t tick, const Forecaster& forecaster) const;
  // Inserts a row that is accepted. The forecaster is then in the state it would be in had the row arrived in time. The
  // report is that of the newest row.
  ForecastReport insert_row(PlacedRow row, const Budget& budget, Forecaster& forecaster);

  std::uint64_t replayed() const { return replayed_; }  // rows, for the last row that was inserted

  void save(LateRowsSnapshot& to) const;
  Status restore(const LateRowsSnapshot& from, const Forecaster& forecaster);

 private:
  struct Checkpoint {
    std::uint64_t tick = 0;  // of the next row
    std::vector<double> state;
  };
  static Checkpoint checkpoint(const Forecaster& forecaster);

  struct Window {
    std::uint64_t ticks = 0;
    Checkpoint older, newer;
  };
  const Window& longest() const { return windows_.back(); }

  std::uint64_t window_, replayed_ = 0;
  std::vector<Window> windows_;  // the shortest first; none if `window_` is 0
  std::deque<PlacedRow> rows_;   // since the older checkpoint, by tick
};

}  // namespace elastane
