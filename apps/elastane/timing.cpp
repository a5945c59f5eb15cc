#include "apps/elastane/timing.h"

namespace elastane::app {

Quantiles quantiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) { return quantile(values, q); };
  return {at(0.5), at(0.9), at(0.99), at(0.999), values.back()};
}

}  // namespace elastane::app
