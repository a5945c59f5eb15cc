#include "bench/timing.h"

namespace elastane::bench {

Quantiles quantiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) { return quantile(values, q); };
  return {at(0.5), at(0.9), at(0.99), at(0.999), values.back()};
}

Timed timed(std::vector<double> times) {
  if (times.empty()) return {};
  const double first = times.front();
  times.erase(times.begin(),
              times.begin() + static_cast<std::ptrdiff_t>(std::min(times.size() / 10, std::size_t{1000})));
  return {quantiles(std::move(times)), first};
}

}  // namespace elastane::bench
