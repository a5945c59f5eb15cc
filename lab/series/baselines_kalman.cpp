// The Kalman filter on an autoregression: x = wᵀφ + noise, φ the last values and 1; w is a random walk.
//
//   P ← P + qI,   k = Pφ/(1 + φᵀPφ),   w ← w + k(x − wᵀφ),   P ← P − kφᵀP
//
// For rows further ahead, forecasts take the place of values.
#include <algorithm>
#include <cmath>

#include "elastane/core/math/inner.h"
#include "lab/series/baselines.h"

namespace elastane::series {
namespace {

constexpr double kRoom = 0.5;  // share of the observed range by which forecasts may leave it, as in the forecaster

class KalmanAutoregression final : public Univariate {
 public:
  explicit KalmanAutoregression(const AutoregressionOptions& options)
      : options_(options),
        n_(options.lags + 1),
        weights_(static_cast<std::size_t>(n_)),
        covariance_(weights_.size() * weights_.size()),
        lags_(weights_.size()),
        spread_(weights_.size()) {
    for (std::size_t i = 0; i < weights_.size(); ++i) covariance_[i * weights_.size() + i] = options.prior;
    weights_[0] = 1;  // before the first row: the last value
    lags_.back() = 1;
  }

  std::unique_ptr<Univariate> clone() const override { return std::make_unique<KalmanAutoregression>(*this); }
  void forget_rows() override { rows_ = 0; }
  void follow(double x) override;
  void forecast(std::span<double> y) override;

 private:
  double clamp(double y) const {
    const double room = kRoom * (highest_ - lowest_);
    return std::clamp(y, lowest_ - room, highest_ + room);
  }
  void learn(double x);
  // the newest lag is the first, the last entry stays 1
  static void shift(std::vector<double>& lags, double x) {
    std::copy_backward(lags.begin(), lags.end() - 2, lags.end() - 1);
    lags.front() = x;
  }

  AutoregressionOptions options_;
  int n_;
  std::vector<double> weights_, covariance_, lags_, spread_, ahead_;
  double lowest_ = 0, highest_ = 0;
  int rows_ = 0;
};

void KalmanAutoregression::follow(double x) {
  const bool missing = std::isnan(x);
  if (missing && rows_ == 0) return;
  if (rows_ == 0) {
    std::fill(lags_.begin(), lags_.end() - 1, x);
  } else {
    if (!missing && rows_ >= options_.lags) learn(x);
    shift(lags_, missing ? clamp(dot(weights_.data(), lags_.data(), n_)) : x);
  }
  if (!missing) {
    lowest_ = std::min(lowest_, x);
    highest_ = std::max(highest_, x);
  }
  rows_ += 1;
}

void KalmanAutoregression::learn(double x) {
  const std::size_t n = weights_.size();
  for (std::size_t i = 0; i < n; ++i) covariance_[i * n + i] += options_.walk;
  std::ranges::fill(spread_, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) spread_[j] += covariance_[i * n + j] * lags_[i];  // Pφ; P is symmetric
  }
  const double c = 1 / (1 + dot(lags_.data(), spread_.data(), n_));
  const double error = x - dot(weights_.data(), lags_.data(), n_);
  for (std::size_t i = 0; i < n; ++i) weights_[i] += spread_[i] * c * error;
  for (std::size_t i = 0; i < n; ++i) {
    const double here = spread_[i] * c;
    for (std::size_t j = 0; j < n; ++j) covariance_[i * n + j] -= here * spread_[j];
  }
}

void KalmanAutoregression::forecast(std::span<double> y) {
  ahead_ = lags_;
  for (double& to : y) {
    to = clamp(dot(weights_.data(), ahead_.data(), n_));
    shift(ahead_, to);
  }
}

}  // namespace

std::unique_ptr<Univariate> kalman_autoregression(const AutoregressionOptions& options) {
  return std::make_unique<KalmanAutoregression>(options);
}

std::vector<std::unique_ptr<Univariate>> autoregression_candidates() {
  std::vector<std::unique_ptr<Univariate>> all;
  for (const int lags : {1, 4, 24, 96}) {
    for (const double walk : {0.0, 1e-9, 1e-7}) all.push_back(kalman_autoregression({.lags = lags, .walk = walk}));
  }
  return all;
}

}  // namespace elastane::series
