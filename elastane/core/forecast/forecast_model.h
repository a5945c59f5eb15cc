// A fitted forecaster: how rows become features, and the read-outs learned from past rows.
//
// A row holds channels: first the targets, which are forecast, then channels that are only observed. Everything inside is
// in units of the training rows: (value − mean)/deviation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/core/base/view.h"

namespace elastane {

// when a value is held until later rows confirm it (input_guard.h)
struct GuardOptions {
  double outside = 0;  // least κ, for values outside of all that was accepted; 0: no guard
  double inside = 0;   // and for values within it
  double after = 0;    // rows of a target before its guard begins
};

// a read-out that sees the latest values of its target and not the clock, so that it follows a season that moves
struct ClocklessReadout {
  std::vector<int> lags;       // its features: differences of these values to the last one; empty: no such read-out
  double forgetting = 0.9998;  // λ
  double prior = 0.01;         // variance of a weight before the first row
};

struct ForecastConfig {
  int targets = 1;
  int channels = 1;  // targets, and channels that are only observed
  int known = 0;     // of these, the last ones: their values are features as they are, as inputs known ahead are
  int horizon = 1;   // H

  // features: a small diagonal state-space model of every channel, and functions of its states
  std::vector<double> scales = {2, 4, 8, 16, 32, 64, 128, 256};  // memories of the running means, in rows
  std::vector<double> periods;                                   // seasons in rows; the first is the main one
  std::vector<double> seasons = {7, 28};                         // memories of the rotating states, in seasons
  int harmonics = 6;                                             // of the rotating states
  int clock_harmonics = 4;
  std::vector<double> calendar;  // rows of a day, a week or a year: the position in it is a feature, without states
  std::vector<int> lags;         // lags of a target whose values are features
  double memory = 512;           // memory of level and spread, in rows
  int neighbours = 0;            // channels that the features of a target use

  // the adaptive read-outs; the frozen one is a copy of the first
  std::vector<double> forgetting = {0.99997, 0.9998};  // λ
  double prior = 2e-4;                                 // variance of a weight before the first row
  ClocklessReadout clockless;                          // one more

  GuardOptions guard;  // of the targets

  // settings of the metrics other than kalman (readout.h), chosen by fitting
  double gradient_rate = 1e-3;  // euclidean: step over the mean square of the features
  double damping = 1e3;         // exact: λ, the inverse variance of a weight
  double inflation = 1.0;       // latent_covariance: factor on the covariance after fitting
};
Status validate(const ForecastConfig& config);

// sizes and positions of the features
struct FeatureShape {
  explicit FeatureShape(const ForecastConfig& config);

  int scales, periods, seasons, harmonics, clock, neighbours, lags, known;
  int calendar;   // harmonics of all of its periods
  int clockless;  // features of the clockless read-out; 0: not used
  int past;       // values of a target that are kept: the current one, and back to the longest lag
  int poles;      // rotating states per channel
  int features;   // F
  int stride;     // F, padded
};

// the even grid of times on which ticks are counted
struct TimeGrid {
  double origin = 0;  // time of tick 0, in seconds
  double step = 0;    // seconds per tick; 0: rows have no times
};

// units of one series, where a model has several
struct SeriesUnits {
  std::string id;
  std::vector<double> mean, deviation;
};

// constant, shared by any number of forecasters
struct ForecastModel {
  ForecastConfig config;
  std::vector<std::string> names;       // of the channels
  std::vector<double> mean, deviation;  // of the channels, in the training rows
  std::vector<SeriesUnits> units;       // of each series; empty: the above apply to all rows
  TimeGrid grid;

  //                                       meaning                                     shape
  std::vector<double> feature_scale;    // root mean square of the features            [targets][stride]
  std::vector<double> feature_limit;    // largest scaled feature, if there is a guard  [targets][stride]
  std::vector<std::int32_t> neighbour;  // channels that a target uses                 [targets][neighbours]
  std::vector<double> frozen;           // W after fitting                             [targets][horizon][stride]
  std::vector<float> noise;             // σ of the frozen forecast                    [targets][horizon]
  std::vector<double> start;            // state of the forecaster after the last row  forecast_state.h
  std::uint64_t calibration_rows = 0;   // rows that alarms were calibrated on
};
Status validate(const ForecastModel& model);
std::uint64_t weights_hash(const ForecastModel& model);  // of everything that streams do not change
using SharedForecastModel = std::shared_ptr<const ForecastModel>;

}  // namespace elastane
