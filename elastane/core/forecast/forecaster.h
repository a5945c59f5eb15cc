// Forecasts a stream that drifts: learns from every row, then forecasts the next H rows, with intervals.
//
//   auto model = elastane::load_forecast_model("load.safetensors");
//   elastane::Forecaster forecaster(*model);
//   const auto report = forecaster.observe(row);                   // NaN: missing
//   use(forecaster.forecast(), forecaster.lower(), forecaster.upper());
//
// One row:
//
//   x ─► accept      hold missing values, refuse outliers
//        judge       errors of the earlier forecasts of this row: mixture, intervals, alarm
//        learn       the same labels correct the read-outs: score, allocate, refine, commit   (correction_run.cpp)
//        advance     the feature bank
//        forecast    all members and their mixture, with intervals
//        anticipate  gains and covariances, for labels still to come
//
// A forecast of t + h is corrected when row t + h is observed, never before. After construction nothing here allocates,
// throws, locks or calls the system. One thread at a time may use a forecaster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/arena.h"
#include "elastane/core/corrector/corrector.h"
#include "elastane/core/forecast/forecast_state.h"
#include "elastane/core/forecast/mixture.h"
#include "elastane/core/forecast/readout.h"

namespace elastane {

// ticks without rows after which a forecaster forgets its earlier rows: they say nothing about the present
inline constexpr std::uint64_t kLongGap = 4096;

struct ForecasterOptions {
  bool adapt = true;               // false: only the frozen read-out
  bool hedge = true;               // mix members; false: only the first adaptive read-out
  Metric metric = Metric::kalman;  // kalman, latent_covariance, exact, euclidean
  GateOptions gate;                // gain: learn only where the gain exceeds the price
  MixtureOptions mixture;
  IntervalOptions interval;
  AlarmOptions alarm;
  Isa isa = Isa::automatic;  // instruction set of the kernels
  bool warm = false;         // continue where fitting ended; false: keep what was learned, but no rows
};
Status validate(const ForecasterOptions& options);

struct ForecastReport {
  int missing = 0;              // values that were missing or refused
  int refused = 0;              // values refused as outliers
  int labels = 0;               // targets that had a label
  int depth = 0;                // K: micro-steps of all corrections
  int accepted = 0;             // micro-steps accepted
  Stop stop = Stop::completed;  // of the last correction that did not complete
  double innovation = 0;        // normalised, mean over targets and horizon
  bool drift = false;           // the alarm is on
  double elapsed = 0;           // µs
};

class Forecaster {
 public:
  // throws if the model or the options are not valid
  explicit Forecaster(SharedForecastModel model, const ForecasterOptions& options = {});

  // Observes the next row, in the units of the data; values that are not finite are missing. The budget is for learning:
  // targets that do not fit into it are left out, and each row starts with another target.
  ForecastReport observe(std::span<const double> row, const Budget& budget = {});
  // The same at a later tick; rows in between are missing. A tick that is not later counts as the next one.
  ForecastReport observe_at(std::uint64_t tick, std::span<const double> row, const Budget& budget = {});

  // after the last row, in the units of the data [horizon][targets]
  std::span<const double> forecast() const { return forecast_; }
  std::span<const double> lower() const { return lower_; }
  std::span<const double> upper() const { return upper_; }

  std::uint64_t tick() const { return static_cast<std::uint64_t>(state_.header->tick); }  // of the next row
  std::uint64_t rows() const { return static_cast<std::uint64_t>(state_.header->rows); }
  double coverage() const { return state_.header->judged > 0 ? state_.header->covered / state_.header->judged : 0; }
  const DriftAlarm& alarm() const { return *state_.alarm; }
  const ForecastModel& model() const { return *model_; }
  const ForecasterOptions& options() const { return options_; }

  void reset();
  // forgets all rows but keeps what was learned; the next row has this tick
  void forget_rows(std::uint64_t tick = 0);

  // the whole state, for snapshots and forks
  std::span<const double> state() const { return {memory(), state_.doubles()}; }
  Status restore(std::span<const double> state);  // refuses a state of another size, or with values that are not finite
  std::uint64_t fingerprint() const { return fingerprint_; }

  // sets the units of the channels, if they differ from those of the model
  void set_units(std::span<const double> mean, std::span<const double> deviation);

  // converts a value to units of the training rows
  double in_units(int channel, double x) const { return (x - mean_[channel]) / deviation_[channel]; }

  // the state as views, for fitting
  const ForecastState& view() const { return state_; }
  const ForecastSizes& sizes() const { return sizes_; }

 private:
  double* memory() { return reinterpret_cast<double*>(state_.block()); }
  const double* memory() const { return reinterpret_cast<const double*>(state_.block()); }
  void skip(std::uint64_t ticks);
  void accept(std::span<const double> row, ForecastReport& report);
  void judge(ForecastReport& report);
  double judge_target(int target, double label);
  void learn(const Budget& budget, ForecastReport& report);
  StepReport learn_target(int learner, int target, double label, const Budget& budget);
  void advance();
  void forecast_target(int target);
  void anticipate();
  void publish();
  double* ring(double* of, int slot, int target, int width) const {
    return of + (static_cast<std::size_t>(slot) * sizes_.targets + target) * width;
  }
  DoubleRows weights(int learner, int target) const;
  DoubleRows covariance(int learner, int target) const;

  SharedForecastModel model_;
  ForecasterOptions options_;
  ForecastSizes sizes_;
  const Kernels* kernels_;
  FeatureBank bank_;
  Arena<ForecastState> state_;
  Corrector corrector_;
  std::vector<GainRule> rules_;
  std::vector<double> first_shares_;
  std::vector<double> mean_, deviation_;
  std::uint64_t fingerprint_ = 0;

  //                                                 meaning                               shape         written by
  std::vector<double> x_;                         // the row, NaN where missing            [channels]    accept
  std::vector<double> before_;                    // forecasts of the label, as of now     [H]           learn
  std::vector<double> reach_;                     //                                       [H]           learn
  std::vector<double> a_;                         // how far to move                       [steps]       learn
  std::vector<double> y_;                         //                                       [steps]       learn
  std::vector<double> trust_;                     // the corrector's; native steps: unused [corrector]   learn
  std::vector<float> label_;                      // the label, H times                    [H]           learn
  std::vector<double> forecast_, lower_, upper_;  //                                       [H][targets]  publish
};

}  // namespace elastane
