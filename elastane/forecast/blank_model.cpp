#include "elastane/forecast/blank_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "elastane/core/forecast/forecast_state.h"

namespace elastane {
namespace {

constexpr double kNoLimit = 1e30;  // of a feature

struct Units {
  std::vector<double> mean, deviation;
};

// mean and deviation of the values that are not missing, channel by channel
Units measure_units(const std::vector<std::pair<const Series*, std::size_t>>& rows_of, std::size_t channels) {
  Units units;
  for (std::size_t c = 0; c < channels; ++c) {
    double n = 0, mean = 0, square = 0;
    for (const auto& [s, rows] : rows_of) {
      for (std::size_t r = 0; r < rows; ++r) {
        const double x = s->row(r)[c];
        if (!std::isfinite(x)) continue;
        const double delta = x - mean;
        mean += delta / ++n;
        square += delta * (x - mean);
      }
    }
    const double deviation = n > 1 ? std::sqrt(square / n) : 0;
    units.mean.push_back(mean);
    units.deviation.push_back(deviation > 1e-12 * std::max(1.0, std::fabs(mean)) ? deviation : 1.0);
  }
  return units;
}

// how well a step of channel c predicts the next step of target i, over the rows to learn from
double strength(const Dataset& data, const std::vector<SplitEnds>& ends, std::size_t c, std::size_t i) {
  const auto step = [](const Series& s, std::size_t r, std::size_t channel) {
    const double d = s.row(r)[channel] - s.row(r - 1)[channel];
    return std::isfinite(d) ? d : 0.0;
  };
  double product = 0, square = 1e-300;
  for (std::size_t k = 0; k < data.series.size(); ++k) {
    for (std::size_t r = 1; r + 1 < ends[k].learn; ++r) {
      const double before = step(data.series[k], r, c);
      product += before * step(data.series[k], r + 1, i);
      square += before * before;
    }
  }
  return product * product / square;
}

// all channels, or the `wanted` that predict best, the target itself included
std::vector<std::int32_t> neighbours_of(const Dataset& data, const std::vector<SplitEnds>& ends, std::size_t i,
                                        std::size_t wanted) {
  std::vector<std::int32_t> order(data.names.size() - data.known);  // what is known ahead enters as it is
  std::iota(order.begin(), order.end(), 0);
  if (wanted >= order.size()) return order;
  std::vector<double> strengths;
  for (std::size_t c = 0; c < order.size(); ++c) strengths.push_back(c == i ? INFINITY : strength(data, ends, c, i));
  std::ranges::stable_sort(order, std::greater{}, [&](std::int32_t c) { return strengths[c]; });
  order.resize(wanted);
  std::ranges::sort(order);
  return order;
}

}  // namespace

ForecastModel blank_model(const Dataset& data, const std::vector<SplitEnds>& ends, const ForecastConfig& config) {
  ForecastModel model;
  model.config = config;
  model.names = data.names;
  model.grid = data.grid;
  std::vector<std::pair<const Series*, std::size_t>> all;
  for (std::size_t i = 0; i < data.series.size(); ++i) all.emplace_back(&data.series[i], ends[i].learn);
  const Units units = measure_units(all, data.names.size());
  model.mean = units.mean;
  model.deviation = units.deviation;
  for (std::size_t i = 0; data.series.size() > 1 && i < data.series.size(); ++i) {
    const Units own = measure_units({all[i]}, data.names.size());
    model.units.push_back({data.series[i].id, own.mean, own.deviation});
  }
  const ForecastSizes sizes(config);
  const auto n = static_cast<std::size_t>(sizes.targets), stride = static_cast<std::size_t>(sizes.shape.stride);
  model.feature_scale.assign(n * stride, 1.0);
  model.feature_limit.assign(n * stride, kNoLimit);
  model.frozen.assign(n * static_cast<std::size_t>(sizes.horizon) * stride, 0.0);
  model.noise.assign(n * static_cast<std::size_t>(sizes.horizon), 1.0F);
  for (std::size_t i = 0; i < n; ++i) {
    const auto seen = neighbours_of(data, ends, i, static_cast<std::size_t>(config.neighbours));
    model.neighbour.insert(model.neighbour.end(), seen.begin(), seen.end());
  }
  return model;
}

}  // namespace elastane
