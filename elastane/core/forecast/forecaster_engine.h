// The working parts of a Forecaster, hidden from its header: features, read-outs, mixture, intervals, alarm, corrector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/arena.h"
#include "elastane/core/corrector/corrector.h"
#include "elastane/core/forecast/forecast_state.h"
#include "elastane/core/forecast/forecaster.h"
#include "elastane/core/forecast/readout.h"

namespace elastane {

// what the functions of Forecaster of the same names do
class ForecasterEngine {
 public:
  ForecasterEngine(SharedForecastModel model, const ForecasterOptions& options);

  ForecastReport observe(std::span<const double> row, const Budget& budget);
  ForecastReport observe_at(std::uint64_t tick, std::span<const double> row, const Budget& budget);

  std::span<const double> forecast() const { return forecast_; }
  std::span<const double> lower() const { return lower_; }
  std::span<const double> upper() const { return upper_; }

  std::uint64_t tick() const { return static_cast<std::uint64_t>(state_.header->tick); }
  std::uint64_t rows() const { return static_cast<std::uint64_t>(state_.header->rows); }
  double coverage() const { return state_.header->judged > 0 ? state_.header->covered / state_.header->judged : 0; }
  const DriftAlarm& alarm() const { return *state_.alarm; }
  const ForecastModel& model() const { return *model_; }
  const ForecasterOptions& options() const { return options_; }

  void reset();
  void set_tick(std::uint64_t tick);
  void forget_rows(std::uint64_t tick);

  std::span<const double> state() const { return {memory(), state_.doubles()}; }
  Status restore(std::span<const double> state);
  std::uint64_t fingerprint() const { return fingerprint_; }

  void set_units(std::span<const double> mean, std::span<const double> deviation);

  double in_units(int channel, double x) const { return (x - mean_[channel]) / deviation_[channel]; }

  const ForecastState& view() const { return state_; }
  const ForecastSizes& sizes() const { return sizes_; }

 private:
  double* memory() { return reinterpret_cast<double*>(state_.block()); }
  const double* memory() const { return reinterpret_cast<const double*>(state_.block()); }
  void skip(std::uint64_t ticks);
  void accept(std::span<const double> row, ForecastReport& report);
  bool accept_value(int channel, double u, ForecastReport& report);
  bool accept_guarded(int target, double u, ForecastReport& report);
  void learn_unguarded(int target, double u);
  void watch(int target, double error, ForecastReport& report);
  void watch_refused(int target, double error, ForecastReport& report);
  void report_verdict(const AlarmVerdict& verdict, ForecastReport& report) const;
  void refine_level(int target, double error);
  bool may_try_level(const TargetGuard& guard) const;
  void try_level(int target, double error, ForecastReport& report);
  void accept_trial(int target);
  void advance_response(int target);
  void measure_response(int target, const double* features);
  bool is_wild(int channel, double x) const;
  void fill_in(int channel);
  bool is_guarded(int channel) const;
  // a level is being refined or tried
  bool has_response(int target) const {
    return state_.guard[target].information > 0 || state_.guard[target].trial_information > 0;
  }
  bool has_season() const { return !model_->config.periods.empty() && model_->config.periods.front() == sizes_.window; }
  double* season_ago(int target) {
    return state_.season + static_cast<std::size_t>(target) * sizes_.window +
           tick() % static_cast<std::uint64_t>(sizes_.window);
  }
  double next_value(int target) const {
    return ring(state_.mixed, state_.slot(state_.header->tick - 1), target, sizes_.steps)[0];
  }
  void judge(ForecastReport& report);
  void judge_target(int target, double label);
  void pass_targets(const Budget& budget, ForecastReport& report);
  void learn_within(const Budget& budget, double begun, int target, double& spent, ForecastReport& report);
  void learn_at_once(int target, double label, ForecastReport& report);
  StepReport learn_target(int learner, int target, double label, const Budget& budget);
  void advance();
  void compute_features(int target, double* phi) const;
  void forecast_target(int target);
  void anticipate(int target);
  void publish();
  double* ring(double* of, int slot, int target, int width) const {
    return of + (static_cast<std::size_t>(target) * sizes_.horizon + slot) * width;
  }
  double* shares(int target) const {
    return state_.shares + static_cast<std::size_t>(target) * sizes_.members * sizes_.steps;
  }
  double* common(int target) const {
    return state_.common + static_cast<std::size_t>(target) * sizes_.members * sizes_.members * sizes_.steps;
  }
  // of one learner; the clockless one is the last, so that all before it have the same size
  std::size_t offset_of(int learner) const {
    return static_cast<std::size_t>(learner) * sizes_.targets * sizes_.horizon * sizes_.shape.stride;
  }
  double* gains(int learner) const { return state_.gains + offset_of(learner); }
  double* reach(int learner) const {
    return state_.reach + static_cast<std::size_t>(learner) * sizes_.targets * sizes_.horizon;
  }
  double* features(int learner) const { return sizes_.is_clockless(learner) ? state_.clockless : state_.features; }
  DoubleRows weights(int learner, int target) const;
  DoubleRows covariance(int learner, int target) const;

  SharedForecastModel model_;
  ForecasterOptions options_;
  ForecastSizes sizes_;
  const Kernels* kernels_;
  const ForecastKernels* own_kernels_;  // of the same instruction set
  FeatureBank bank_;
  InputGuard guard_;
  Arena<ForecastState> state_;
  Corrector corrector_;
  std::vector<GainRule> rules_;
  std::vector<double> first_shares_;
  std::vector<double> mean_, deviation_;
  std::uint64_t fingerprint_ = 0;

  //                                                 meaning                               shape         written by
  std::vector<double> x_;              // the row, NaN where missing            [channels]    accept
  std::vector<double> errors_, gain_;  // of members; 1 − β of the mixture       [members][steps], [steps] judge
  std::vector<double> probe_;          // features where the level is moved     [stride]      forecast
  std::vector<double> before_;         // forecasts of the label, as of now     [H]           learn
  std::vector<double> reach_;          //                                       [H]           learn
  std::vector<double> a_;              // how far to move                       [steps]       learn
  std::vector<double> y_;              //                                       [steps]       learn
  std::vector<double> trust_;          // the corrector's; native steps: unused [corrector]   learn
  std::vector<float> label_;           // the label, H times                    [H]           learn
  std::vector<double> forecast_, lower_, upper_;  //                                       [H][targets]  publish
};

}  // namespace elastane
