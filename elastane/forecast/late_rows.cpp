#include "elastane/forecast/late_rows.h"

#include <algorithm>
#include <utility>

namespace elastane {

LateRows::Checkpoint LateRows::checkpoint(const Forecaster& forecaster) {
  const auto state = forecaster.state();
  return {forecaster.tick(), {state.begin(), state.end()}};
}

void LateRows::start(const Forecaster& forecaster) {
  rows_.clear();
  if (window_ > 0) older_ = newer_ = checkpoint(forecaster);
}

void LateRows::record_row(PlacedRow row, const Forecaster& forecaster) {
  if (window_ == 0) return;
  rows_.push_back(std::move(row));
  if (forecaster.tick() - newer_.tick <= window_) return;
  older_ = std::exchange(newer_, checkpoint(forecaster));
  while (!rows_.empty() && rows_.front().tick < older_.tick) rows_.pop_front();
}

bool LateRows::accepts(std::uint64_t tick, const Forecaster& forecaster) const {
  // the newest row is one before the next
  if (window_ == 0 || tick < older_.tick || tick + window_ + 1 < forecaster.tick()) return false;
  const auto at = std::ranges::lower_bound(rows_, tick, {}, &PlacedRow::tick);
  return at == rows_.end() || at->tick != tick || at->is_missing;
}

ForecastReport LateRows::insert_row(PlacedRow row, const Budget& budget, Forecaster& forecaster) {
  const auto at = std::ranges::lower_bound(rows_, row.tick, {}, &PlacedRow::tick);
  if (at != rows_.end() && at->tick == row.tick) {
    *at = std::move(row);
  } else {
    rows_.insert(at, std::move(row));
  }
  forecaster.restore(older_.state).value();
  ForecastReport report;
  double elapsed = 0;
  for (const PlacedRow& each : rows_) {
    report = forecaster.observe_at(each.tick, each.values, budget);
    elapsed += report.elapsed;
    if (forecaster.tick() == newer_.tick) newer_ = checkpoint(forecaster);
  }
  report.elapsed = elapsed;
  return report;
}

void LateRows::save(LateRowsSnapshot& to) const {
  to.window = window_;
  to.older_tick = older_.tick;
  to.newer_tick = newer_.tick;
  to.older = older_.state;
  to.newer = newer_.state;
  to.rows.assign(rows_.begin(), rows_.end());
}

Status LateRows::restore(const LateRowsSnapshot& from, const Forecaster& forecaster) {
  start(forecaster);
  if (window_ == 0 || from.window != window_) return {};  // another window: it starts now
  Forecaster trial = forecaster;
  for (const auto& [tick, state] : {std::pair(from.older_tick, &from.older), std::pair(from.newer_tick, &from.newer)}) {
    if (const Status fits = trial.restore(*state); !fits) return fits;
    if (trial.tick() != tick)
      return Error{"[snapshot] expected the states from which late rows are replayed, found others"};
  }
  std::uint64_t before = from.older_tick;
  for (const PlacedRow& row : from.rows) {
    if (row.tick < before || row.tick >= forecaster.tick())
      return Error{"[snapshot] expected rows in the order of their ticks"};
    before = row.tick + 1;
  }
  older_ = {from.older_tick, from.older};
  newer_ = {from.newer_tick, from.newer};
  rows_.assign(from.rows.begin(), from.rows.end());
  return {};
}

}  // namespace elastane
