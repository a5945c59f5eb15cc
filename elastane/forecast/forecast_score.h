// Errors of forecasts once their rows are known: mean squared, mean absolute and by quantile, by step of the horizon and by
// target, in units of the rows to learn from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace elastane {

class ForecastScore {
 public:
  // `coverage`: share of values that the intervals should contain
  ForecastScore(int targets, int horizon, std::span<const double> deviation, double coverage = 0.9);

  // First the row of a tick, then the forecast made at it, both in the units of the data. A forecast is
  // [horizon][targets].
  void judge_row(std::uint64_t tick, std::span<const double> row);
  void add_forecast(std::uint64_t tick, std::span<const double> forecast);
  // with intervals
  void add_forecast(std::uint64_t tick, std::span<const double> forecast, std::span<const double> lower,
                    std::span<const double> upper);
  void drop_forecasts() { origins_.assign(origins_.size(), kNone); }  // their rows will not come

  double squared() const;  // mean over targets, horizon and rows
  double absolute() const;
  double squared_at(int step) const;  // of one step of the horizon; the first is 1
  double absolute_of(int target) const;
  double coverage() const;  // share of labels inside their intervals; NaN without intervals
  double width() const;     // mean width of the intervals; NaN without intervals
  // Mean pinball loss of the bounds and the forecast, as the quantiles α/2, 1/2 and 1 − α/2. Twice it is the continuous
  // ranked probability score of these three quantiles. NaN without intervals.
  double pinball() const;
  std::uint64_t labels() const { return labels_; }

 private:
  static constexpr std::uint64_t kNone = ~0ULL;

  int targets_, horizon_;
  std::vector<double> deviation_;
  std::vector<std::uint64_t> origins_;            // [H] by tick mod H
  std::vector<double> forecast_, lower_, upper_;  // [H][H][targets]
  std::vector<double> squares_, sizes_;           // [H] sums
  std::vector<std::uint64_t> counts_;             // [H]
  std::vector<double> sizes_of_target_, counts_of_target_;
  double tail_, width_ = 0, pinball_ = 0;
  std::uint64_t labels_ = 0, covered_ = 0, bounded_ = 0;
};

}  // namespace elastane
