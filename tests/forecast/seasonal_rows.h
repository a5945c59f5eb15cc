// A short series with a season and noise, for tests of fitting and evaluation.
#pragma once

#include <cmath>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/forecast/dataset.h"

namespace elastane {

// one target with a season of 12 rows, and a channel that leads it by one row
inline Dataset seasonal_rows(std::size_t rows, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<double> values;
  double lead = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const double before = lead;
    lead = 0.8 * lead + 0.3 * random.normal();
    values.push_back(std::sin(static_cast<double>(r) * 0.5235987755982988) + before + 0.1 * random.normal());
    values.push_back(lead);
  }
  return make_dataset(values, {"target", "lead"}, 1).value();
}

}  // namespace elastane
