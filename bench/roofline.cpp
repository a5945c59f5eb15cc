#include "bench/roofline.h"

#include <algorithm>
#include <vector>

#include "bench/attention_problem.h"
#include "bench/timing.h"
#include "elastane/core/base/buffer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/roofline.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace elastane::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;

// adds up all floats, in eight sums, so that only the loads matter
float read_all(const float* data, std::size_t count) {
  const D d;
  const std::size_t n = hn::Lanes(d);
  hn::Vec<D> sum[8];
  for (auto& s : sum) s = hn::Zero(d);
  for (std::size_t i = 0; i + 8 * n <= count; i += 8 * n) {
    for (std::size_t k = 0; k < 8; ++k) sum[k] = hn::Add(sum[k], hn::Load(d, data + i + k * n));
  }
  for (int k = 1; k < 8; ++k) sum[0] = hn::Add(sum[0], sum[k]);
  return hn::GetLane(hn::SumOfLanes(d, sum[0]));
}

// twelve independent chains of fused multiply-adds; returns how many were done
double multiply_adds(std::size_t rounds, float* result) {
  const D d;
  hn::Vec<D> sum[12];
  for (auto& s : sum) s = hn::Set(d, result[0]);
  const auto factor = hn::Set(d, result[1]);
  for (std::size_t i = 0; i < rounds; ++i) {
    for (auto& s : sum) s = hn::MulAdd(s, factor, factor);
  }
  for (int k = 1; k < 12; ++k) sum[0] = hn::Add(sum[0], sum[k]);
  result[0] = hn::GetLane(hn::SumOfLanes(d, sum[0]));
  return 12.0 * static_cast<double>(rounds * hn::Lanes(d));
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elastane::bench {
HWY_EXPORT(read_all);
HWY_EXPORT(multiply_adds);

double read_micros(std::size_t bytes) {
  Buffer buffer(round_up(bytes, 4096));
  const auto* data = reinterpret_cast<const float*>(buffer.data());
  volatile float sink = 0;
  std::vector<double> times;
  const std::size_t rounds = std::clamp<std::size_t>(200'000'000 / (bytes + 1), 50, 20'000);
  for (std::size_t i = 0; i < rounds; ++i) {
    times.push_back(micros([&] { sink = HWY_DYNAMIC_DISPATCH(read_all)(data, buffer.size() / sizeof(float)); }));
  }
  return quantiles(times).p50 * static_cast<double>(bytes) / static_cast<double>(buffer.size());
}

double multiply_adds_per_micro() {
  std::vector<double> rates;
  float result[2] = {1.0F, 1e-3F};
  for (int i = 0; i < 200; ++i) {
    double done = 0;
    const double time = micros([&] { done = HWY_DYNAMIC_DISPATCH(multiply_adds)(4000, result); });
    rates.push_back(done / time);
  }
  return quantiles(rates).p90;
}

double sustained_multiply_adds_per_micro(int turns) {
  double best = 0;
  float result[2] = {1.0F, 1e-3F};
  for (int i = 0; i < turns; ++i) {
    double done = 0;
    const double begun = thread_millis();
    while (thread_millis() - begun < 2) done += HWY_DYNAMIC_DISPATCH(multiply_adds)(20'000, result);
    best = std::max(best, 1e-3 * done / (thread_millis() - begun));
  }
  return best;
}

}  // namespace elastane::bench
#endif
