// Real-time code only.
#include "elastane/core/forecast/forecast_state.h"

#include <cstdint>

namespace elastane {

ReadoutShape ForecastSizes::readout(int learner) const {
  if (is_clockless(learner)) return {shape.clockless, double_stride(shape.clockless)};
  return {shape.features, shape.stride};
}

// every array on a cache line
void ForecastState::lay_out(Cutter& cutter) {
  const std::size_t C = sizes_.channels, N = sizes_.targets, H = sizes_.horizon, E = sizes_.members, S = sizes_.steps;
  std::size_t width = 0, square = 0;  // of all learners: ΣW, and ΣFW
  for (int l = 0; l < sizes_.learners; ++l) {
    const ReadoutShape of = sizes_.readout(l);
    width += static_cast<std::size_t>(of.stride);
    square += static_cast<std::size_t>(of.features) * static_cast<std::size_t>(of.stride);
  }
  const auto take = [&](double*& to, std::size_t n) { to = cutter.array<double>(n); };
  header = cutter.array<ForecastHeader>(1);
  alarm = cutter.array<DriftAlarm>(1);
  for (double** of : {&bank.value, &bank.origin, &bank.level, &bank.spread, &begun, &strange, &lowest, &highest}) {
    take(*of, C);
  }
  take(bank.mean, C * sizes_.shape.scales);
  take(bank.re, C * sizes_.shape.poles);
  take(bank.im, C * sizes_.shape.poles);
  take(bank.past, N * sizes_.shape.past);
  for (double** of : {&response.value, &response.origin, &response.level, &response.spread}) take(*of, N);
  take(response.mean, N * sizes_.shape.scales);
  take(response.re, N * sizes_.shape.poles);
  take(response.im, N * sizes_.shape.poles);
  take(response.past, N * sizes_.shape.past);
  watched = cutter.array<TargetAlarm>(N);
  guard = cutter.array<TargetGuard>(N);
  take(held, N * 2 * static_cast<std::size_t>(sizes_.window));
  take(season, N * static_cast<std::size_t>(sizes_.window));
  take(features, H * N * sizes_.shape.stride);
  take(clockless, H * N * (sizes_.has_clockless ? sizes_.readout(sizes_.learners - 1).stride : 0));
  take(anchor, H * N);
  take(doubted, H * N);
  take(guesses, H * N * E * S);
  for (double** of : {&mixed, &low, &high, &scale}) take(*of, H * N * S);
  take(gains, H * N * width);
  take(reach, sizes_.learners * H * N);
  take(weights, N * H * width);
  take(covariance, N * square);
  take(common, N * E * E * S);
  take(shares, N * E * S);
  intervals = cutter.array<Interval>(N * H);
}

int ForecastState::slot(double tick) const {
  const auto horizon = static_cast<std::int64_t>(sizes_.horizon);
  return static_cast<int>((static_cast<std::int64_t>(tick) % horizon + horizon) % horizon);  // ticks may be negative
}

}  // namespace elastane
