#include "elastane/forecast/series_stream.h"

#include <algorithm>
#include <utility>

namespace elastane {
namespace {

constexpr double kMostTicks = 4e15;   // all of them are whole numbers as doubles
constexpr double kConfirmations = 3;  // rows that confirm a time far ahead, or one before it
constexpr double kLongMemory = 50;    // rows after a gap beyond which it is not doubted any more

RowResult rejected(std::string why) { return {.report = {}, .rejected = std::move(why)}; }

}  // namespace

std::optional<std::uint64_t> tick_of(const TimeGrid& grid, double time) {
  const double tick = std::round((time - grid.origin) / grid.step);
  if (!(tick >= 0 && tick <= kMostTicks)) return {};
  return static_cast<std::uint64_t>(tick);
}

bool set_units_of(const std::string& id, Forecaster& forecaster) {
  const auto& all = forecaster.model().units;
  const auto units = std::ranges::find(all, id, &SeriesUnits::id);
  if (units == all.end()) return false;
  forecaster.set_units(units->mean, units->deviation);
  return true;
}

SeriesStream::SeriesStream(Forecaster forecaster, bool is_timed, std::uint64_t late)
    : forecaster_(std::move(forecaster)), is_timed_(is_timed), late_(is_timed ? late : 0) {
  late_.start(forecaster_);
}

RowResult SeriesStream::observe_row(double time, std::span<const double> row, const Budget& budget) {
  if (!is_timed_ || std::isnan(time)) return observe_at(forecaster_.tick(), row, false, budget);
  return place_row(time, row, false, budget);
}

RowResult SeriesStream::observe_unreadable_row(double time, const Budget& budget) {
  if (!is_timed_) return observe_at(forecaster_.tick(), {}, true, budget);
  // its time may move the series forward, but must not replace an earlier row
  if (std::isnan(time) || time <= time_) return {};
  return place_row(time, {}, true, budget);
}

RowResult SeriesStream::place_row(double time, std::span<const double> row, bool is_missing, const Budget& budget) {
  const auto tick = tick_of(forecaster_.model().grid, time);
  if (!tick) return rejected("its time is before the start of the model's time grid, or too far away");
  if (time <= time_) return insert_late_row(time, *tick, row, is_missing, budget);
  // One wrong time far ahead must not make all rows after it late, so the next rows have to confirm it.
  const std::uint64_t next = forecaster_.tick();
  if (!std::isnan(time_) && *tick > next + kLongGap) {
    const double expected = std::exchange(ahead_, time), gap = kLongGap * forecaster_.model().grid.step;
    const bool agrees = !is_missing && time > expected && time - expected <= gap;
    ahead_rows_ = agrees ? ahead_rows_ + 1 : 1;
    if (ahead_rows_ < kConfirmations) {
      return rejected("its time is " + std::to_string(*tick - next) +
                      " rows ahead; accepted once the next rows confirm it");
    }
  }
  if (std::isnan(time_) || *tick > next) {
    anchor_ = time_;
    since_gap_ = 0;
  }
  since_gap_ += 1;
  ahead_ = back_ = NAN;
  ahead_rows_ = back_rows_ = 0;
  time_ = time;
  return observe_at(std::max(*tick, next), row, is_missing, budget);
}

bool SeriesStream::confirms_clock(double time) {
  if (since_gap_ > kLongMemory || time <= anchor_) return false;
  const double gap = kLongGap * forecaster_.model().grid.step;
  const bool agrees = time > back_ && time - back_ <= gap;
  back_rows_ = agrees ? back_rows_ + 1 : 1;
  back_ = time;
  if (back_rows_ < std::max(kConfirmations, since_gap_ + 1)) return false;
  since_gap_ = back_rows_;
  back_rows_ = 0;
  back_ = NAN;
  return true;
}

RowResult SeriesStream::insert_late_row(double time, std::uint64_t tick, std::span<const double> row, bool is_missing,
                                        const Budget& budget) {
  if (!is_missing && !late_.accepts(tick, forecaster_) && confirms_clock(time)) {
    forecaster_.set_tick(tick);
    late_.start(forecaster_);
    time_ = time;
    RowResult result = observe_at(tick, row, false, budget);
    result.clock_reset = true;
    return result;
  }
  if (is_missing || !late_.accepts(tick, forecaster_)) {
    return rejected(time < time_ ? "its time is earlier than that of the row before"
                                 : "its time is the same as that of the row before");
  }
  RowResult result{.is_late = true};
  result.report = late_.insert_row({tick, false, {row.begin(), row.end()}}, budget, forecaster_);
  return result;
}

RowResult SeriesStream::observe_at(std::uint64_t tick, std::span<const double> row, bool is_missing,
                                   const Budget& budget) {
  RowResult result{.report = forecaster_.observe_at(tick, row, budget)};
  late_.record_row({tick, is_missing, {row.begin(), row.end()}}, forecaster_);
  return result;
}

void SeriesStream::save(SeriesStreamSnapshot& to) const {
  const auto state = forecaster_.state();
  to.state.assign(state.begin(), state.end());
  to.time = time_;
  to.ahead = ahead_;
  to.ahead_rows = ahead_rows_;
  to.anchor = anchor_;
  to.since_gap = since_gap_;
  to.back = back_;
  to.back_rows = back_rows_;
  late_.save(to.late);
}

Status SeriesStream::restore(const SeriesStreamSnapshot& from) {
  if (const Status fits = forecaster_.restore(from.state); !fits) return fits;
  time_ = from.time;
  ahead_ = from.ahead;
  ahead_rows_ = from.ahead_rows;
  anchor_ = from.anchor;
  since_gap_ = from.since_gap;
  back_ = from.back;
  back_rows_ = from.back_rows;
  return late_.restore(from.late, forecaster_);
}

}  // namespace elastane
