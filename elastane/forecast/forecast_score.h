// Errors of forecasts when they come true: mean square and mean size, by horizon step, in units of the training rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace elastane::series {

class Score {
 public:
  Score(int targets, int horizon, std::span<const double> deviation);

  // the row at this tick, then what was forecast there, both in their own units; a forecast is [horizon][targets]
  void judge(std::uint64_t tick, std::span<const double> row);
  void issue(std::uint64_t tick, std::span<const double> forecast);
  // with intervals
  void issue(std::uint64_t tick, std::span<const double> forecast, std::span<const double> lower,
             std::span<const double> upper);
  void forget() { origins_.assign(origins_.size(), kNone); }  // what was forecast will not come true

  double squared() const;  // mean over targets, steps and rows
  double absolute() const;
  double squared_at(int step) const;  // of one horizon step, the first is 1
  double coverage() const;
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

}  // namespace elastane::series
