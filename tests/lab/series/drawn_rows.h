// Rows and forecasts for the tests of baselines.
#pragma once

#include <vector>

#include "elastane/core/base/random.h"
#include "lab/series/baselines.h"

namespace elastane::series {

// an autoregression of second order, one per channel
inline std::vector<std::vector<double>> draw(int rows, int channels) {
  Random random(7);
  std::vector<std::vector<double>> x(rows, std::vector<double>(channels));
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < channels; ++c) {
      const double one = r > 0 ? x[r - 1][c] : 0, two = r > 1 ? x[r - 2][c] : 0;
      x[r][c] = 1.1 * one - 0.4 * two + random.normal();
    }
  }
  return x;
}

inline std::vector<double> forecast_of(Univariate& method, int horizon) {
  std::vector<double> y(horizon);
  method.forecast(y);
  return y;
}

}  // namespace elastane::series
