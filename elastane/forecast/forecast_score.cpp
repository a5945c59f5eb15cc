#include "elastane/forecast/forecast_score.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace elastane {
namespace {

std::size_t size(int n) { return static_cast<std::size_t>(n); }

// the loss of a quantile that is exceeded by `over`
double pinball_of(double over, double share) { return over >= 0 ? share * over : (share - 1) * over; }

}  // namespace

ForecastScore::ForecastScore(int targets, int horizon, std::span<const double> deviation, double coverage)
    : targets_(targets),
      horizon_(horizon),
      deviation_(deviation.begin(), deviation.begin() + targets),
      origins_(size(horizon), kNone),
      forecast_(size(horizon) * size(horizon) * size(targets)),
      squares_(size(horizon)),
      sizes_(size(horizon)),
      counts_(size(horizon)),
      sizes_of_target_(size(targets)),
      counts_of_target_(size(targets)),
      tail_((1 - coverage) / 2) {}

void ForecastScore::judge_row(std::uint64_t tick, std::span<const double> row) {
  for (int h = 1; h <= horizon_ && static_cast<std::uint64_t>(h) <= tick; ++h) {
    const std::size_t slot = (tick - static_cast<std::uint64_t>(h)) % size(horizon_);
    if (origins_[slot] != tick - static_cast<std::uint64_t>(h)) continue;
    const std::size_t at = (slot * size(horizon_) + size(h - 1)) * size(targets_);
    for (std::size_t i = 0; i < size(targets_); ++i) {
      if (!std::isfinite(row[i])) continue;
      const double error = (row[i] - forecast_[at + i]) / deviation_[i];
      squares_[size(h - 1)] += error * error;
      sizes_[size(h - 1)] += std::fabs(error);
      counts_[size(h - 1)] += 1;
      sizes_of_target_[i] += std::fabs(error);
      counts_of_target_[i] += 1;
      labels_ += 1;
      if (lower_.empty()) continue;
      bounded_ += 1;
      width_ += (upper_[at + i] - lower_[at + i]) / deviation_[i];
      pinball_ += (pinball_of(row[i] - lower_[at + i], tail_) + pinball_of(row[i] - forecast_[at + i], 0.5) +
                   pinball_of(row[i] - upper_[at + i], 1 - tail_)) /
                  (3 * deviation_[i]);
      covered_ += lower_[at + i] <= row[i] && row[i] <= upper_[at + i] ? 1 : 0;
    }
  }
}

void ForecastScore::add_forecast(std::uint64_t tick, std::span<const double> forecast) {
  const std::size_t slot = tick % size(horizon_);
  origins_[slot] = tick;
  std::ranges::copy(forecast, forecast_.begin() + static_cast<std::ptrdiff_t>(slot * forecast.size()));
}

void ForecastScore::add_forecast(std::uint64_t tick, std::span<const double> forecast, std::span<const double> lower,
                                 std::span<const double> upper) {
  add_forecast(tick, forecast);
  lower_.resize(forecast_.size());
  upper_.resize(forecast_.size());
  const auto at = static_cast<std::ptrdiff_t>(tick % size(horizon_) * forecast.size());
  std::ranges::copy(lower, lower_.begin() + at);
  std::ranges::copy(upper, upper_.begin() + at);
}

double ForecastScore::squared() const {
  return std::reduce(squares_.begin(), squares_.end()) / static_cast<double>(std::max<std::uint64_t>(1, labels_));
}

double ForecastScore::absolute() const {
  return std::reduce(sizes_.begin(), sizes_.end()) / static_cast<double>(std::max<std::uint64_t>(1, labels_));
}

double ForecastScore::squared_at(int step) const {
  return squares_[size(step - 1)] / static_cast<double>(std::max<std::uint64_t>(1, counts_[size(step - 1)]));
}

double ForecastScore::absolute_of(int target) const {
  return sizes_of_target_[size(target)] / std::fmax(1, counts_of_target_[size(target)]);
}

double ForecastScore::width() const { return bounded_ == 0 ? NAN : width_ / static_cast<double>(bounded_); }

double ForecastScore::pinball() const { return bounded_ == 0 ? NAN : pinball_ / static_cast<double>(bounded_); }

double ForecastScore::coverage() const {
  return bounded_ == 0 ? NAN : static_cast<double>(covered_) / static_cast<double>(bounded_);
}

}  // namespace elastane
