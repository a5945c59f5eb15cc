// Errors of a forecaster and of the members of its mixture on held-out rows, in units of the rows to learn from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/forecast/forecast_state.h"
#include "elastane/core/forecast/forecaster.h"

namespace elastane {

class HeldOutErrors {
 public:
  explicit HeldOutErrors(const ForecastSizes& sizes);

  // judges the forecasts of the row that the forecaster observes next
  void add(const Forecaster& forecaster, std::uint64_t tick, std::span<const double> row);

  // mean squares
  double mixed() const { return mean(mixed_); }
  double frozen() const;
  double persistence() const { return mean(persistence_); }
  void set_noise(std::vector<float>& noise) const;  // deviations of the frozen forecast; unchanged where no label came

 private:
  double mean(double sum) const { return count_ > 0 ? sum / count_ : 0.0; }

  ForecastSizes sizes_;
  std::vector<double> frozen_, counts_;  // sums of squares, and their numbers [targets][H]
  std::vector<double> issued_;           // forecasts as published, in units of u, by tick mod H [H][H][targets]
  int filled_ = 0;                       // rows of it
  double mixed_ = 0, persistence_ = 0, count_ = 0;
};

}  // namespace elastane
