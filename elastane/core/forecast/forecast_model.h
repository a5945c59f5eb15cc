// What a forecaster is made of: how rows become features, and the read-outs that were learned from the past.
//
// A row holds channels: targets first, which are forecast, then what is only seen. Everything inside is in units of the
// training rows: (value − mean)/deviation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/core/base/view.h"

namespace elastane {

struct ForecastConfig {
  int targets = 1;
  int channels = 1;  // targets and what is only seen
  int horizon = 1;   // H

  // the features: a small diagonal state-space model of every channel, and what is made of its states
  std::vector<double> scales = {2, 4, 8, 16, 32, 64, 128, 256};  // rows that running means remember
  std::vector<double> periods;                                   // rows of a season; the first is the main one
  std::vector<double> seasons = {7, 28};                         // periods that rotating states remember
  int harmonics = 6;                                             // of the rotating states
  int clock_harmonics = 4;
  std::vector<int> lags;  // rows back whose own values a target's features hold
  double memory = 512;    // rows that level and spread remember
  int neighbours = 0;     // channels that a target's features look at

  // the read-outs that learn: the first is the slow one
  std::vector<double> forgetting = {0.99997, 0.9998};  // λ
  double prior = 2e-4;                                 // variance of a weight before anything was seen

  // what other metrics than kalman take in its place (readout.h), chosen with the rest
  double gradient_rate = 1e-3;  // euclidean: step over the mean square of the features
  double damping = 1e3;         // exact: λ, the inverse variance of a weight
  double inflation = 1.0;       // latent_covariance: of the covariance that training left
};
Status validate(const ForecastConfig& config);

// which feature is where
struct FeatureShape {
  explicit FeatureShape(const ForecastConfig& config);

  int scales, periods, seasons, harmonics, clock, neighbours, lags;
  int past;      // values of a target that are kept: this one, and as far back as lags reach
  int poles;     // rotating states of a channel
  int features;  // F
  int stride;    // F, padded
};

// where time stands still between two rows: what ticks are made from
struct TimeGrid {
  double origin = 0;  // seconds, of tick 0
  double step = 0;    // seconds a row; 0: rows have no time
};

// units of one series among many, in long form
struct SeriesUnits {
  std::string id;
  std::vector<double> mean, deviation;
};

// constant, shared by any number of forecasters
struct ForecastModel {
  ForecastConfig config;
  std::vector<std::string> names;       // of the channels
  std::vector<double> mean, deviation;  // of the channels, in the training rows
  std::vector<SeriesUnits> units;       // of series that have their own; none: the above are for all
  TimeGrid grid;

  //                                 meaning                                      shape
  std::vector<double> feature_scale;    // root mean square of the features          [targets][stride]
  std::vector<std::int32_t> neighbour;  // channels that a target looks at           [targets][neighbours]
  std::vector<double> frozen;           // W as training left it                     [targets][horizon][stride]
  std::vector<float> noise;             // σ of the frozen forecast                  [targets][horizon]
  std::vector<double> start;            // a forecaster's state after the last row   forecast_state.h
  double alarm_threshold = 4;           // of the drift alarm
  std::uint64_t calibration_rows = 0;   // rows that it was set by
};
Status validate(const ForecastModel& model);
std::uint64_t weights_hash(const ForecastModel& model);  // of all that streams never change
using SharedForecastModel = std::shared_ptr<const ForecastModel>;

}  // namespace elastane
