// Errors of forecasts once their rows are known: mean squared and mean absolute, by step of the horizon, in units of the
// rows to learn from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace elastane {

class ForecastScore {
 public:
  ForecastScore(int targets, int horizon, std::span<const double> deviation);

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
  double coverage() const;            // share of labels inside their intervals; NaN without intervals
  std::uint64_t labels() const { return labels_; }

 private:
  static constexpr std::uint64_t kNone = ~0ULL;

  int targets_, horizon_;
  std::vector<double> deviation_;
  std::vector<std::uint64_t> origins_;            // [H] by tick mod H
  std::vector<double> forecast_, lower_, upper_;  // [H][H][targets]
  std::vector<double> squares_, sizes_;           // [H] sums
  std::vector<std::uint64_t> counts_;             // [H]
  std::uint64_t labels_ = 0, covered_ = 0, bounded_ = 0;
};

}  // namespace elastane
