// Chooses the best of several candidates for every target, by their errors on the held-out rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/series/baselines.h"

namespace elastane::series {
namespace {

// one candidate on one target: observes all rows before the test, and is judged on the held-out rows
class Tryout {
 public:
  Tryout(std::unique_ptr<Univariate> candidate, int horizon)
      : candidate_(std::move(candidate)), horizon_(static_cast<std::size_t>(horizon)), ring_(horizon_ * horizon_) {}

  void begin() {
    candidate_->forget_rows();
    rows_ = 0;
  }
  void follow(double x, bool judged) {
    for (std::size_t h = 1; judged && h <= std::min(rows_, horizon_); ++h) {
      const double error = x - ring_[(rows_ - h) % horizon_ * horizon_ + h - 1];
      if (!std::isnan(error)) squares_ += error * error;
    }
    candidate_->follow(x);
    candidate_->forecast({ring_.data() + rows_ % horizon_ * horizon_, horizon_});
    rows_ += 1;
  }
  double squares() const { return std::isnan(squares_) ? std::numeric_limits<double>::infinity() : squares_; }

 private:
  std::unique_ptr<Univariate> candidate_;
  std::size_t horizon_, rows_ = 0;
  std::vector<double> ring_;  // [H][H] by row mod H
  double squares_ = 0;
};

void try_out(Tryout& tryout, const Dataset& data, const DataSplit& split, const std::vector<SeriesUnits>& units,
             std::size_t target) {
  for (std::size_t k = 0; k < data.series.size(); ++k) {
    const Series& s = data.series[k];
    const SplitEnds ends = split_ends(split, s.rows());
    tryout.begin();
    for (std::size_t r = 0; r < ends.held_out; ++r) {
      // ticks without rows, as far as they matter
      const std::uint64_t gap = r == 0 ? 0 : std::min<std::uint64_t>(s.ticks[r] - s.ticks[r - 1] - 1, kContext);
      for (std::uint64_t g = 0; g < gap; ++g) tryout.follow(std::numeric_limits<double>::quiet_NaN(), false);
      tryout.follow((s.row(r)[target] - units[k].mean[target]) / units[k].deviation[target], r >= ends.learn);
    }
  }
}

}  // namespace

std::unique_ptr<Baseline> choose_each_target(std::vector<std::unique_ptr<Univariate>> candidates, const Dataset& data,
                                             const DataSplit& split, const std::vector<SeriesUnits>& units,
                                             int horizon) {
  std::vector<std::unique_ptr<Univariate>> chosen;
  for (std::size_t i = 0; i < data.targets; ++i) {
    double least = std::numeric_limits<double>::infinity();
    chosen.push_back(candidates.front()->clone());
    for (const auto& candidate : candidates) {
      Tryout tryout(candidate->clone(), horizon);
      try_out(tryout, data, split, units, i);
      if (!(tryout.squares() < least)) continue;
      least = tryout.squares();
      chosen.back() = candidate->clone();  // before its first row
    }
  }
  return each_target(std::move(chosen), horizon);
}

}  // namespace elastane::series
