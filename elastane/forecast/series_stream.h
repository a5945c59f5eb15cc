// One stream of rows whose times say where they belong: in order, after a gap, late, or nowhere.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "apps/elastane/run/late_rows.h"

namespace elastane::app {

// the tick of a time; none if it is before the grid's beginning, or too far away to be counted
std::optional<std::uint64_t> tick_of(const TimeGrid& grid, double time);

class PlacedStream {
 public:
  // `is_timed`: rows have times, and the model a grid
  PlacedStream(Forecaster forecaster, bool is_timed, std::uint64_t late);

  struct Taken {
    ForecastReport report;
    std::string refused;  // why it had no place; the forecast is still the last one
    bool is_late = false;
  };
  // A row; without a time it has the next tick. Two rows of one tick keep their order, as in training.
  Taken take(double time, std::span<const double> row, const Budget& budget);
  // A row that could not be read. Where rows have times and it has none, nothing moves: what it stood for will be a gap
  // when the next one comes, and if it stood for nothing, nothing is lost.
  Taken miss(double time, const Budget& budget);

  const Forecaster& forecaster() const { return forecaster_; }
  void save(StreamSnapshot& to) const;
  Status restore(const StreamSnapshot& from);

 private:
  Taken place(double time, std::span<const double> row, bool is_missing, const Budget& budget);
  Taken put_late(double time, std::uint64_t tick, std::span<const double> row, bool is_missing, const Budget& budget);
  Taken observe(std::uint64_t tick, std::span<const double> row, bool is_missing, const Budget& budget);

  Forecaster forecaster_;
  bool is_timed_;
  LateRows late_;
  double time_ = NAN;   // of the newest row
  double ahead_ = NAN;  // a time too far ahead to be believed at once
};

}  // namespace elastane::app
