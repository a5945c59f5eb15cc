// Real-time code only.
#include "elastane/core/forecast/forecast_state.h"

#include <cstdint>

#include "elastane/core/base/buffer.h"

namespace elastane {
namespace {

template <class T>
constexpr std::size_t doubles_of() {
  static_assert(sizeof(T) % sizeof(double) == 0);
  return sizeof(T) / sizeof(double);
}

}  // namespace

// every array on a cache line
template <class Take>
void ForecastState::lay_out(Take take) {
  const std::size_t C = sizes_.channels, N = sizes_.targets, H = sizes_.horizon, L = sizes_.learners;
  const std::size_t E = sizes_.members, S = sizes_.steps, F = sizes_.shape.features, W = sizes_.shape.stride;
  take(header, doubles_of<ForecastHeader>());
  take(alarm, doubles_of<DriftAlarm>());
  for (double** of : {&bank.value, &bank.origin, &bank.level, &bank.spread, &begun, &strange, &lowest, &highest}) {
    take(*of, C);
  }
  take(bank.mean, C * sizes_.shape.scales);
  take(bank.re, C * sizes_.shape.poles);
  take(bank.im, C * sizes_.shape.poles);
  take(bank.past, N * sizes_.shape.past);
  take(features, H * N * W);
  take(anchor, H * N);
  take(guesses, H * N * E * S);
  for (double** of : {&mixed, &low, &high, &scale}) take(*of, H * N * S);
  take(gains, L * H * N * W);
  take(reach, L * H * N);
  take(weights, L * N * H * W);
  take(covariance, L * N * F * W);
  take(common, N * H * E * E);
  take(shares, N * H * E);
  take(intervals, N * H * doubles_of<Interval>());
  take(variance, N * H);
}

std::size_t ForecastState::doubles() const {
  std::size_t total = 0;
  ForecastState copy = *this;
  copy.lay_out([&](auto*&, std::size_t n) { total += round_up(n, kDoubleLane); });
  return total;
}

void ForecastState::carve(double* at) {
  lay_out([&](auto*& to, std::size_t n) {
    to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(at);
    at += round_up(n, kDoubleLane);
  });
}

int ForecastState::slot(double tick) const {
  const auto horizon = static_cast<std::int64_t>(sizes_.horizon);
  return static_cast<int>((static_cast<std::int64_t>(tick) % horizon + horizon) %
                          horizon);  // also before the first row
}

}  // namespace elastane
