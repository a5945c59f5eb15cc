#include "apps/elastane/run/placed_stream.h"

#include <algorithm>
#include <cmath>

namespace elastane::app {
namespace {

constexpr double kMostTicks = 4e15;       // all of them whole numbers as doubles
constexpr std::uint64_t kLongGap = 4096;  // ticks that the forecaster fills; after more it forgets its rows

}  // namespace

std::optional<std::uint64_t> tick_of(const TimeGrid& grid, double time) {
  const double tick = std::round((time - grid.origin) / grid.step);
  if (!(tick >= 0 && tick <= kMostTicks)) return {};
  return static_cast<std::uint64_t>(tick);
}

PlacedStream::PlacedStream(Forecaster forecaster, bool is_timed, std::uint64_t late)
    : forecaster_(std::move(forecaster)), is_timed_(is_timed), late_(is_timed ? late : 0) {
  late_.begin(forecaster_);
}

PlacedStream::Taken PlacedStream::take(double time, std::span<const double> row, const Budget& budget) {
  if (!is_timed_ || std::isnan(time)) return observe(forecaster_.tick(), row, false, budget);
  return place(time, row, false, budget);
}

PlacedStream::Taken PlacedStream::miss(double time, const Budget& budget) {
  if (!is_timed_) return observe(forecaster_.tick(), {}, true, budget);
  // it may be told when it was, but not put where others were
  if (std::isnan(time) || time <= time_) return {};
  return place(time, {}, true, budget);
}

PlacedStream::Taken PlacedStream::place(double time, std::span<const double> row, bool is_missing,
                                        const Budget& budget) {
  const auto tick = tick_of(forecaster_.model().grid, time);
  if (!tick) return {.report = {}, .refused = "its time is before those that the model counts from, or too far away"};
  if (time <= time_) return put_late(time, *tick, row, is_missing, budget);
  // One wrong time far ahead must not make all that follow come late: the next row has to confirm it.
  const std::uint64_t next = forecaster_.tick();
  if (!std::isnan(time_) && *tick > next + kLongGap) {
    const double expected = std::exchange(ahead_, time), gap = kLongGap * forecaster_.model().grid.step;
    if (is_missing || !(time > expected && time - expected <= gap)) {
      return {.report = {},
              .refused = "its time is " + std::to_string(*tick - next) +
                         " rows ahead; believed if the next one is there, too"};
    }
  }
  ahead_ = NAN;
  time_ = time;
  return observe(std::max(*tick, next), row, is_missing, budget);
}

PlacedStream::Taken PlacedStream::put_late(double time, std::uint64_t tick, std::span<const double> row,
                                           bool is_missing, const Budget& budget) {
  if (is_missing || !late_.has_place(tick, forecaster_)) {
    return {
        .report = {},
        .refused = time < time_ ? "its time is before that of the row before" : "its time is that of the row before"};
  }
  Taken taken;
  taken.is_late = true;
  taken.report = late_.insert({tick, false, {row.begin(), row.end()}}, budget, forecaster_);
  return taken;
}

PlacedStream::Taken PlacedStream::observe(std::uint64_t tick, std::span<const double> row, bool is_missing,
                                          const Budget& budget) {
  Taken taken;
  taken.report = forecaster_.observe_at(tick, row, budget);
  late_.follow({tick, is_missing, {row.begin(), row.end()}}, forecaster_);
  return taken;
}

void PlacedStream::save(StreamSnapshot& to) const {
  const auto state = forecaster_.state();
  to.state.assign(state.begin(), state.end());
  to.time = time_;
  to.ahead = ahead_;
  late_.save(to.replay);
}

Status PlacedStream::restore(const StreamSnapshot& from) {
  if (const Status fits = forecaster_.restore(from.state); !fits) return fits;
  time_ = from.time;
  ahead_ = from.ahead;
  return late_.restore(from.replay, forecaster_);
}

}  // namespace elastane::app
