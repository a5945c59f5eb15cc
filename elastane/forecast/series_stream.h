// One series of rows whose times say where they belong: the next tick, after a gap, late, or nowhere.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "elastane/forecast/late_rows.h"

namespace elastane {

// The tick of a time; none if the time is before the start of the grid or too far away to be counted.
std::optional<std::uint64_t> tick_of(const TimeGrid& grid, double time);

// Gives a forecaster the units that its model has for this series; false: it has none, and those of all series apply.
bool set_units_of(const std::string& id, Forecaster& forecaster);

// What became of a row. A rejected row leaves the forecast as it was.
struct RowResult {
  ForecastReport report;
  std::string rejected;      // why it was rejected; "": it was not
  bool is_late = false;      // it was inserted at an earlier tick
  bool clock_reset = false;  // earlier rows had a wrong time; the clock continues from this row
};

class SeriesStream {
 public:
  // `is_timed`: rows have times and the model has a time grid. `late`: ticks that a row may be late.
  SeriesStream(Forecaster forecaster, bool is_timed, std::uint64_t late);

  // A row; without a time it has the next tick. Two rows of the same tick keep their order, as in fitting.
  RowResult observe_row(double time, std::span<const double> row, const Budget& budget);
  // A row that could not be read. If rows have times and this one has none, nothing changes: the next row shows whether
  // there was a gap.
  RowResult observe_unreadable_row(double time, const Budget& budget);

  const Forecaster& forecaster() const { return forecaster_; }
  void save(SeriesStreamSnapshot& to) const;
  Status restore(const SeriesStreamSnapshot& from);

 private:
  // rows that agree with each other and with the time before the last gap show that the clock was wrong since
  bool confirms_clock(double time);
  RowResult place_row(double time, std::span<const double> row, bool is_missing, const Budget& budget);
  RowResult insert_late_row(double time, std::uint64_t tick, std::span<const double> row, bool is_missing,
                            const Budget& budget);
  RowResult observe_at(std::uint64_t tick, std::span<const double> row, bool is_missing, const Budget& budget);

  Forecaster forecaster_;
  bool is_timed_;
  LateRows late_;
  double time_ = NAN;   // of the newest row
  double ahead_ = NAN;  // a time far ahead that waits to be confirmed
  double ahead_rows_ = 0;
  double anchor_ = NAN;  // time of the row before the last gap
  double since_gap_ = 0;
  double back_ = NAN;  // time of the last of the rows that continue from the anchor
  double back_rows_ = 0;
};

}  // namespace elastane
