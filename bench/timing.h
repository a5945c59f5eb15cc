// Times of many repetitions, and their quantiles.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace elastane::bench {

// the value below which a share q of the values lies; `sorted` is not empty
template <class T>
T quantile(const std::vector<T>& sorted, double q) {
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(q * static_cast<double>(sorted.size())))];
}

struct Quantiles {
  double p50, p90, p99, p999, max;
};
Quantiles quantiles(std::vector<double> values);

// of calls one after the other: the first, cold, and all but the first tenth (a thousand at most)
struct Timed {
  Quantiles time;
  double first;
};
Timed timed(std::vector<double> times);

// microseconds of one call
template <class F>
double micros(F&& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace elastane::bench
