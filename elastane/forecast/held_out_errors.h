// Errors that the members of a forecaster's mixture make on held-out rows, in units of the learned ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/forecast/forecaster.h"

namespace elastane::series {

class HeldOutErrors {
 public:
  explicit HeldOutErrors(const ForecastSizes& sizes);

  // the row that the forecaster is given next
  void add(const Forecaster& forecaster, std::uint64_t tick, std::span<const double> row);

  // mean squares
  double mixed() const { return mean(mixed_); }
  double frozen() const;
  double persistence() const { return mean(persistence_); }
  void set_noise(std::vector<float>& noise) const;  // deviations of the frozen forecast; where there is none, as it was

 private:
  double mean(double sum) const { return count_ > 0 ? sum / count_ : 0.0; }

  ForecastSizes sizes_;
  std::vector<double> frozen_, counts_;  // sums of squares, and how many   [targets][H]
  double mixed_ = 0, persistence_ = 0, count_ = 0;
};

}  // namespace elastane::series
