// Forecasts a stream that drifts: learns from every row, then forecasts the next H rows, with intervals.
//
//   auto model = elastane::load_forecast_model("load.safetensors");
//   elastane::Forecaster forecaster(*model);
//   const auto report = forecaster.observe(row);                   // NaN: missing
//   use(forecaster.forecast(), forecaster.lower(), forecaster.upper());
//
// One row:
//
//   x ─► accept      map to training units, hold what is missing or not explained        (input_guard.h)
//        judge       errors of the earlier forecasts of this row: mixture, intervals, alarm
//        advance     the feature bank
//        learn       the same labels correct the read-outs: score, allocate, refine, commit   (correction_run.cpp)
//        forecast    all members and their mixture, with intervals
//        anticipate  gains and covariances, for labels still to come
//
// A forecast of t + h is corrected when row t + h is observed, never before. After construction nothing here allocates,
// throws, locks or calls the system. One thread at a time may use a forecaster.
#pragma once

#include <cstdint>
#include <span>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/base/owned.h"
#include "elastane/core/corrector/report.h"
#include "elastane/core/forecast/forecast_model.h"
#include "elastane/core/forecast/forecaster_options.h"

namespace elastane {

class ForecasterEngine;
struct DriftAlarm;
struct ForecastSizes;
struct ForecastState;

// ticks without rows after which a forecaster forgets its earlier rows: they say nothing about the present
inline constexpr std::uint64_t kLongGap = 4096;

struct ForecastReport {
  int missing = 0;                    // values that were missing or refused
  int refused = 0;                    // values refused as outliers, or held until later rows confirm them
  int stuck = 0;                      // targets whose sensor seems to be stuck
  int moved = 0;                      // targets whose level or unit changed, as held values confirmed
  int labels = 0;                     // targets that had a label
  int depth = 0;                      // K: micro-steps of all corrections
  int accepted = 0;                   // micro-steps accepted
  Stop stop = Stop::completed;        // of the last correction that did not complete
  double anomaly = 1;                 // p-value of the row: the chance of errors as large, if nothing is wrong
  bool is_unusual = false;            // it is below the stated rate of false alarms
  DriftKind drift = DriftKind::none;  // what has changed, while the alarm is on
  bool is_cold = false;               // fewer rows than a season are known
  double elapsed = 0;                 // µs
};

class Forecaster {
 public:
  // throws if the model or the options are not valid; `create` returns the reason instead
  explicit Forecaster(SharedForecastModel model, const ForecasterOptions& options = {});
  static Result<Forecaster> create(SharedForecastModel model, const ForecasterOptions& options = {});

  // Observes the next row, in the units of the data; values that are not finite are missing. The budget is for learning:
  // targets that do not fit into it are left out, and each row starts with another target.
  ForecastReport observe(std::span<const double> row, const Budget& budget = {});
  // The same at a later tick; rows in between are missing. A tick that is not later counts as the next one.
  ForecastReport observe_at(std::uint64_t tick, std::span<const double> row, const Budget& budget = {});

  // after the last row, in the units of the data [horizon][targets]
  std::span<const double> forecast() const;
  std::span<const double> lower() const;
  std::span<const double> upper() const;

  std::uint64_t tick() const;  // of the next row
  std::uint64_t rows() const;
  double coverage() const;       // share of labels inside their intervals
  std::uint64_t alarms() const;  // times that the drift alarm was raised
  DriftKind drift() const;       // what has changed, while the alarm is on
  const ForecastModel& model() const;
  const ForecasterOptions& options() const;

  void reset();
  // the next row has this tick, which may be earlier: the clock was wrong. Forecasts that wait for their rows are dropped.
  void set_tick(std::uint64_t tick);
  // forgets all rows but keeps what was learned; the next row has this tick
  void forget_rows(std::uint64_t tick = 0);

  // the whole state, for snapshots and forks
  std::span<const double> state() const;
  Status restore(std::span<const double> state);  // refuses a state of another size, or with values that are not finite
  std::uint64_t fingerprint() const;

  // sets the units of the channels, if they differ from those of the model
  void set_units(std::span<const double> mean, std::span<const double> deviation);

  // converts a value to units of the training rows
  double in_units(int channel, double x) const;

  // parts of the state, for fitting and reports: drift_alarm.h, forecast_state.h, neither of them installed
  const DriftAlarm& alarm() const;
  const ForecastState& view() const;
  const ForecastSizes& sizes() const;

 private:
  Owned<ForecasterEngine> engine_;
};

}  // namespace elastane
