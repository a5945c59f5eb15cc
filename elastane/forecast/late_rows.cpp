#include "elastane/forecast/late_rows.h"

#include <algorithm>
#include <utility>

namespace elastane {

namespace {

constexpr std::uint64_t kShortestWindow = 16,
                        kTimes = 4;  // ticks of the shortest window, and how much longer the next is

}  // namespace

LateRows::LateRows(std::uint64_t window) : window_(window) {
  for (std::uint64_t ticks = kShortestWindow; ticks < window; ticks *= kTimes) windows_.push_back({.ticks = ticks});
  if (window > 0) windows_.push_back({.ticks = window});
}

LateRows::Checkpoint LateRows::checkpoint(const Forecaster& forecaster) {
  const auto state = forecaster.state();
  return {forecaster.tick(), {state.begin(), state.end()}};
}

void LateRows::start(const Forecaster& forecaster) {
  rows_.clear();
  for (Window& each : windows_) each.older = each.newer = checkpoint(forecaster);
}

void LateRows::record_row(PlacedRow row, const Forecaster& forecaster) {
  if (window_ == 0) return;
  rows_.push_back(std::move(row));
  for (Window& each : windows_) {
    if (forecaster.tick() - each.newer.tick > each.ticks)
      each.older = std::exchange(each.newer, checkpoint(forecaster));
  }
  while (!rows_.empty() && rows_.front().tick < longest().older.tick) rows_.pop_front();
}

bool LateRows::accepts(std::uint64_t tick, const Forecaster& forecaster) const {
  // the newest row is one before the next
  if (window_ == 0 || tick < longest().older.tick || tick + window_ + 1 < forecaster.tick()) return false;
  const auto at = std::ranges::lower_bound(rows_, tick, {}, &PlacedRow::tick);
  return at == rows_.end() || at->tick != tick || at->is_missing;
}

ForecastReport LateRows::insert_row(PlacedRow row, const Budget& budget, Forecaster& forecaster) {
  const std::uint64_t tick = row.tick;
  const auto at = std::ranges::lower_bound(rows_, tick, {}, &PlacedRow::tick);
  if (at != rows_.end() && at->tick == tick) {
    *at = std::move(row);
  } else {
    rows_.insert(at, std::move(row));
  }
  // from the newest state before the row
  const Checkpoint* from = &longest().older;
  for (const Window& each : windows_) {
    for (const Checkpoint* c : {&each.older, &each.newer}) {
      if (c->tick <= tick && c->tick > from->tick) from = c;
    }
  }
  const std::uint64_t begin = from->tick;
  forecaster.restore(from->state).value();
  ForecastReport report;
  double elapsed = 0;
  replayed_ = 0;
  for (auto each = std::ranges::lower_bound(rows_, begin, {}, &PlacedRow::tick); each != rows_.end(); ++each) {
    report = forecaster.observe_at(each->tick, each->values, budget);
    elapsed += report.elapsed;
    replayed_ += 1;
    for (Window& w : windows_) {
      for (Checkpoint* c : {&w.older, &w.newer}) {
        if (forecaster.tick() == c->tick) *c = checkpoint(forecaster);
      }
    }
  }
  report.elapsed = elapsed;
  return report;
}

void LateRows::save(LateRowsSnapshot& to) const {
  to.window = window_;
  if (window_ > 0) {
    to.older_tick = longest().older.tick;
    to.newer_tick = longest().newer.tick;
    to.older = longest().older.state;
    to.newer = longest().newer.state;
  }
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
  windows_.back().older = {from.older_tick, from.older};
  windows_.back().newer = {from.newer_tick, from.newer};
  rows_.assign(from.rows.begin(), from.rows.end());
  return {};
}

}  // namespace elastane
