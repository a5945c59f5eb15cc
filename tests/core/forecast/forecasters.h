// Small forecasters and rows for tests.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/forecast/forecast_state.h"
#include "elastane/core/forecast/forecaster.h"

namespace elastane {

inline constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

// nothing learned yet: features as they are, read-outs of zeros
inline SharedForecastModel blank_forecast_model(ForecastConfig config) {
  config.neighbours = config.channels;
  auto model = std::make_shared<ForecastModel>();
  model->config = config;
  const ForecastSizes sizes(config);
  const auto n = static_cast<std::size_t>(sizes.targets), h = static_cast<std::size_t>(sizes.horizon);
  const auto stride = static_cast<std::size_t>(sizes.shape.stride), c = static_cast<std::size_t>(sizes.channels);
  for (std::size_t i = 0; i < c; ++i) model->names.push_back("c" + std::to_string(i));
  model->mean.assign(c, 0.0);
  model->deviation.assign(c, 1.0);
  model->feature_scale.assign(n * stride, 1.0);
  model->feature_limit.assign(n * stride, 1e30);
  model->frozen.assign(n * h * stride, 0.0);
  model->noise.assign(n * h, 1.0F);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < c; ++j) model->neighbour.push_back(static_cast<std::int32_t>(j));
  }
  return model;
}

using ForecastRows = std::vector<std::vector<double>>;

// two channels with a season of 8 rows, memory, and coupling
inline ForecastRows made_rows(int count, std::uint64_t seed, int channels = 2) {
  Random random(seed);
  ForecastRows rows;
  std::vector<double> x(static_cast<std::size_t>(channels));
  for (int t = 0; t < count; ++t) {
    const double before = x.front();
    for (int c = 0; c < channels; ++c) {
      double& value = x[static_cast<std::size_t>(c)];
      value = 0.8 * value + 0.1 * before + std::sin(2 * M_PI * t / 8 + c) + 0.3 * random.normal();
    }
    rows.push_back(x);
  }
  return rows;
}

inline ForecastConfig small_config(int horizon = 4) {
  ForecastConfig config;
  config.targets = config.channels = 2;
  config.horizon = horizon;
  config.scales = {2, 8, 32};
  config.periods = {8};
  config.seasons = {7};
  config.harmonics = 2;
  config.clock_harmonics = 2;
  config.lags = {1, 5};
  config.clockless.lags = {1, 2, 3, 8, 9};
  config.memory = 100;
  config.prior = 0.1;
  return config;
}

}  // namespace elastane
