// A small forecaster that has learned a little, for tests that are not about how well it forecasts.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "elastane/core/forecast/forecast_state.h"
#include "elastane/core/forecast/forecaster.h"

namespace elastane {

// one target and one channel that is only seen
inline std::vector<double> small_row(int tick) {
  const double x = std::sin(0.5 * tick) + 0.1 * std::sin(tick * tick);
  return {x, 0.5 * x + std::cos(0.7 * tick)};
}

inline SharedForecastModel small_forecaster(double time_step = 0) {
  ForecastModel m;
  m.config.targets = 1;
  m.config.channels = 2;
  m.config.horizon = 3;
  m.config.scales = {2, 8};
  m.config.periods = {12};
  m.config.seasons = {2};
  m.config.harmonics = 1;
  m.config.clock_harmonics = 1;
  m.config.neighbours = 1;
  m.names = {"a", "b"};
  m.mean = {0, 0};
  m.deviation = {1, 1};
  m.grid = {.origin = 0, .step = time_step};
  const ForecastSizes sizes(m.config);
  const auto stride = static_cast<std::size_t>(sizes.shape.stride);
  m.feature_scale.assign(stride, 1);
  m.feature_limit.assign(stride, 1e30);
  m.neighbour = {1};
  m.frozen.assign(3 * stride, 0);
  m.noise.assign(3, 1);
  Forecaster learner(std::make_shared<ForecastModel>(m));
  for (int t = 0; t < 50; ++t) learner.observe(small_row(t));
  m.start.assign(learner.state().begin(), learner.state().end());
  return std::make_shared<ForecastModel>(m);
}

}  // namespace elastane
