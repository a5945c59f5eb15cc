// Forecasts of a stream that drifts: every row is learned from, then the next H rows are forecast, with intervals.
//
//   auto model = elastane::load_forecast_model("load.safetensors");
//   elastane::Forecaster forecaster(*model);
//   const auto report = forecaster.observe(row);                   // NaN: missing
//   use(forecaster.forecast(), forecaster.lower(), forecaster.upper());
//
// One row:
//
//   x ─► accept      missing values held, wild ones refused
//        judge       errors of the forecasts that this row was for: mixture, intervals, alarm
//        learn       the same labels correct the read-outs: score, allocate, refine, commit   (correction_run.cpp)
//        advance     the feature bank
//        forecast    all members, mixed, with intervals
//        anticipate  gains and covariances, for labels still to come
//
// A forecast of t + h is corrected when row t + h is given, never before. After construction nothing here allocates,
// throws, locks or asks the system. Used by one thread at a time.
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
  bool adapt = true;               // false: the frozen read-out alone
  bool hedge = true;               // mix members; false: the first read-out that learns, alone
  Metric metric = Metric::kalman;  // kalman, latent_covariance, exact, euclidean
  GateOptions gate;                // gain: learn only where it beats the price
  MixtureOptions mixture;
  IntervalOptions interval;
  AlarmOptions alarm;
  Isa isa = Isa::automatic;  // of the kernels
  bool warm = false;         // go on where training ended; else only what was learned is taken over
};
Status validate(const ForecasterOptions& options);

struct ForecastReport {
  int missing = 0;              // values that were missing, or refused
  int refused = 0;              // values too wild to be true
  int labels = 0;               // targets that had a label
  int depth = 0;                // K, micro-steps of all corrections
  int accepted = 0;             // of those
  Stop stop = Stop::completed;  // of the last correction that did not complete
  double innovation = 0;        // normalised, mean over targets and horizon
  bool drift = false;           // the alarm is on
  double elapsed = 0;           // µs
};

class Forecaster {
 public:
  // options that make no sense throw
  explicit Forecaster(SharedForecastModel model, const ForecasterOptions& options = {});

  // The next row, in its own units; what is not finite is missing. The budget is for learning: what does not fit is
  // left out, target by target, beginning each time with the next one.
  ForecastReport observe(std::span<const double> row, const Budget& budget = {});
  // the same at a later tick; rows in between are missing. A tick that is not later counts as the next.
  ForecastReport observe_at(std::uint64_t tick, std::span<const double> row, const Budget& budget = {});

  // of the last row, in the targets' own units [horizon][targets]
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
  // no row yet, what was learned stays; the next row has this tick
  void forget_rows(std::uint64_t tick = 0);

  // the whole state
  std::span<const double> state() const { return {memory(), state_.doubles()}; }
  Status restore(std::span<const double> state);  // refuses what has another size or is not finite
  std::uint64_t fingerprint() const { return fingerprint_; }

  // units of the channels, where they are not the model's
  void set_units(std::span<const double> mean, std::span<const double> deviation);

  // a value in units of the training rows
  double in_units(int channel, double x) const { return (x - mean_[channel]) / deviation_[channel]; }

  // for those who fit models: the state as views
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

  //                                                 meaning                               shape                 written
  //                                                 by
  std::vector<double> x_;                         // the row, NaN where missing            [channels]            accept
  std::vector<double> before_;                    // what the label's forecasts are now    [H]                   learn
  std::vector<double> reach_;                     //                                       [H]                   learn
  std::vector<double> a_;                         // how far to move                       [steps]               learn
  std::vector<double> y_;                         //                                       [steps]               learn
  std::vector<double> trust_;                     // the corrector's; native steps: unused [corrector]           learn
  std::vector<float> label_;                      // the label, H times                    [H]                   learn
  std::vector<double> forecast_, lower_, upper_;  //                                       [H][targets]          publish
};

}  // namespace elastane
