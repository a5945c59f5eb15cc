// Real-time code only.
#include "elastane/core/forecast/feature_bank.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace elastane {
namespace {

constexpr double kFar = 6, kNear = 4;    // limits of the products and of the neighbours
constexpr double kWide = 12;             // and of inputs known ahead: a flag that is rarely set lies far out
constexpr double kFarther = 16;          // of differences that the clockless read-out sees
constexpr double kLeastVariance = 1e-2;  // of a channel that does not vary
constexpr double kBumps[] = {-1.5, -1, -0.5, 0, 0.5, 1, 1.5};
constexpr double kBumpSlope = 2;

double clip(double x, double limit) { return std::clamp(x, -limit, limit); }

}  // namespace

void FeatureBank::begin(int channel, double x, const BankState& state) const {
  state.value[channel] = state.origin[channel] = state.level[channel] = x;
  state.spread[channel] = 0;
  for (int j = 0; j < shape_.scales; ++j) state.mean[channel * shape_.scales + j] = x;
  for (int j = 0; j < shape_.poles; ++j)
    state.re[channel * shape_.poles + j] = state.im[channel * shape_.poles + j] = 0;
  if (channel < targets_) std::fill_n(state.past + channel * shape_.past, shape_.past, x);
}

void FeatureBank::advance(int channel, const BankState& state) const {
  const double x = state.value[channel], driven = x - state.origin[channel];
  double* mean = state.mean + channel * shape_.scales;
  for (int j = 0; j < shape_.scales; ++j) mean[j] += gains_[j] * (x - mean[j]);
  state.level[channel] += memory_gain_ * (x - state.level[channel]);
  const double off = x - state.level[channel];
  state.spread[channel] += memory_gain_ * (off * off - state.spread[channel]);
  double *re = state.re + channel * shape_.poles, *im = state.im + channel * shape_.poles;
  for (int j = 0; j < shape_.poles; ++j) {
    const Pole& p = poles_[j];
    const double turned = p.re * re[j] - p.im * im[j] + p.input * driven;
    im[j] = p.re * im[j] + p.im * re[j];
    re[j] = turned;
  }
  if (channel >= targets_ || shape_.past == 0) return;
  double* past = state.past + channel * shape_.past;
  std::memmove(past + 1, past, sizeof(double) * static_cast<std::size_t>(shape_.past - 1));
  past[0] = x;
}

void FeatureBank::add(int target, double by, const BankState& other, const BankState& state) const {
  const auto add_all = [&](const double* from, double* to, int each) {
    for (int j = target * each; j < (target + 1) * each; ++j) to[j] += by * from[j];
  };
  add_all(other.mean, state.mean, shape_.scales);
  add_all(other.re, state.re, shape_.poles);
  add_all(other.im, state.im, shape_.poles);
  add_all(other.level, state.level, 1);
  add_all(other.past, state.past, shape_.past);
}

void FeatureBank::turn(std::uint64_t tick) {
  double* out = clock_.data();
  for (const auto& [period, harmonics] : turns_) {
    const double turn = 2 * std::numbers::pi * std::fmod(static_cast<double>(tick), period) / period;
    for (int k = 1; k <= harmonics; ++k) {
      *out++ = std::sin(k * turn);
      *out++ = std::cos(k * turn);
    }
  }
}

void FeatureBank::features(int target, std::span<const std::int32_t> neighbours, const BankState& state,
                           double* phi) const {
  const double x = state.value[target];
  const double* mean = state.mean + target * shape_.scales;
  const double deviation = std::sqrt(state.spread[target] + kLeastVariance);
  const double fast = clip((mean[fast_] - x) / deviation, kNear), slow = clip((mean[slow_] - x) / deviation, kNear);
  const double away = clip((x - state.level[target]) / deviation, kFar);

  *phi++ = 1;
  for (int j = 0; j < shape_.scales; ++j) *phi++ = mean[j] - x;
  for (int j = 0; j < shape_.poles; ++j) {
    *phi++ = state.re[target * shape_.poles + j];
    *phi++ = state.im[target * shape_.poles + j];
  }
  // the time within the season, alone and times the latest change
  for (const double c : clock_) *phi++ = c;
  for (int p = 0; p < shape_.periods; ++p) {
    const double* clock = clock_.data() + 2 * p * shape_.clock;
    for (int k = 0; k < 2 * std::min(2, shape_.clock); ++k) {
      *phi++ = fast * clock[k];
      *phi++ = slow * clock[k];
      *phi++ = away * clock[k];
    }
  }
  // the position of the value in its own range
  for (const double b : kBumps) *phi++ = std::tanh(kBumpSlope * (away - b));
  for (const int lag : lags_) *phi++ = state.past[target * shape_.past + lag] - x;
  // the latest changes of the other channels
  for (const std::int32_t c : neighbours) {
    const double* other = state.mean + c * shape_.scales;
    *phi++ = clip(state.value[c] - other[fast_], kFar);
    *phi++ = clip(state.value[c] - other[slow_], kFar);
  }
  for (int c = channels_ - shape_.known; c < channels_; ++c) *phi++ = clip(state.value[c], kWide);
}

void FeatureBank::clockless_features(int target, const BankState& state, double* phi) const {
  *phi++ = 1;
  for (const int lag : clockless_lags_)
    *phi++ = clip(state.past[target * shape_.past + lag] - state.value[target], kFarther);
}

}  // namespace elastane
