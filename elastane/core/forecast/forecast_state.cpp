// Real-time code only.
#include "elastane/core/forecast/forecast_state.h"

#include <cstdint>

namespace elastane {
// every array on a cache line
void ForecastState::lay_out(Cutter& cutter) {
  const std::size_t C = sizes_.channels, N = sizes_.targets, H = sizes_.horizon, L = sizes_.learners;
  const std::size_t E = sizes_.members, S = sizes_.steps, F = sizes_.shape.features, W = sizes_.shape.stride;
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
  take(features, H * N * W);
  take(anchor, H * N);
  take(doubted, H * N);
  take(guesses, H * N * E * S);
  for (double** of : {&mixed, &low, &high, &scale}) take(*of, H * N * S);
  take(gains, L * H * N * W);
  take(reach, L * H * N);
  take(weights, L * N * H * W);
  take(covariance, L * N * F * W);
  take(common, N * E * E * S);
  take(shares, N * E * S);
  intervals = cutter.array<Interval>(N * H);
}

int ForecastState::slot(double tick) const {
  const auto horizon = static_cast<std::int64_t>(sizes_.horizon);
  return static_cast<int>((static_cast<std::int64_t>(tick) % horizon + horizon) % horizon);  // ticks may be negative
}

}  // namespace elastane
