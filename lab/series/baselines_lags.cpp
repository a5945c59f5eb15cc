// Recursive least squares on lags: one regression per step of the horizon, shared by the channels.
//
// The features of row t are known at t, the label of step h at t + h. P depends on features alone, so one P serves all
// steps: gains are computed with the features and wait in a ring of H rows. Each W_h goes through the same sequence as in
// a separate recursion that is h rows late.
#include <algorithm>
#include <cmath>

#include "elastane/core/base/view.h"
#include "elastane/core/math/inner.h"
#include "lab/series/baselines.h"

namespace elastane::series {
namespace {

class LagRegression final : public Baseline {
 public:
  LagRegression(int targets, int horizon, const LagRegressionOptions& options)
      : options_(options),
        n_((options.lags + 1 + 7) / 8 * 8),
        targets_(as_size(targets)),
        horizon_(as_size(horizon)),
        lags_(targets_ * as_size(n_)),
        features_(horizon_ * lags_.size()),
        gains_(features_.size()),
        ready_(horizon_ * targets_),
        weights_(horizon_ * as_size(n_)),
        covariance_(as_size(n_) * as_size(n_)) {
    for (std::size_t i = 0; i <= as_size(options.lags); ++i) covariance_[i * as_size(n_) + i] = options.prior;
  }

  std::unique_ptr<Baseline> clone() const override { return std::make_unique<LagRegression>(*this); }
  void forget_rows() override {
    std::ranges::fill(ready_, 0);
    rows_ = 0;
  }
  void follow(std::span<const double> x) override;
  void forecast(std::span<double> y) override;

 private:
  void learn(std::size_t target, double label);
  void shift(std::size_t target, double x);
  void take_gain(std::size_t target, bool first);

  LagRegressionOptions options_;
  int n_;  // features, padded
  std::size_t targets_, horizon_, rows_ = 0;

  //                                   meaning                            shape
  std::vector<double> lags_;        // newest first, 1, padding of zeros  [targets][n]
  std::vector<double> features_;    // φ, by row mod H                    [H][targets][n]
  std::vector<double> gains_;       // k                                  [H][targets][n]
  std::vector<char> ready_;         // 1: they can be learned from        [H][targets]
  std::vector<double> weights_;     // W                                  [H][n]
  std::vector<double> covariance_;  // P                                  [n][n]
};

void LagRegression::follow(std::span<const double> x) {
  for (std::size_t i = 0; i < targets_; ++i) {
    if (!std::isnan(x[i])) learn(i, x[i]);
  }
  for (std::size_t i = 0; i < targets_; ++i) shift(i, x[i]);
  rows_ += 1;
  const std::size_t slot = rows_ % horizon_;
  for (std::size_t i = 0; i < targets_; ++i) {
    ready_[slot * targets_ + i] = rows_ >= as_size(options_.lags) && !std::isnan(x[i]) ? 1 : 0;
    if (ready_[slot * targets_ + i] != 0) take_gain(i, i == 0);
  }
}

// a label of H forecasts
void LagRegression::learn(std::size_t target, double label) {
  for (std::size_t h = 1; h <= std::min(horizon_, rows_); ++h) {
    const std::size_t at = (rows_ + 1 - h) % horizon_ * targets_ + target;
    if (ready_[at] == 0) continue;
    double* w = weights_.data() + (h - 1) * as_size(n_);
    const double* k = gains_.data() + at * as_size(n_);
    const double error = label - dot(w, features_.data() + at * as_size(n_), n_);
    for (std::size_t j = 0; j < as_size(n_); ++j) w[j] += error * k[j];
  }
}

void LagRegression::shift(std::size_t target, double x) {
  double* lags = lags_.data() + target * as_size(n_);
  const std::size_t n = as_size(options_.lags);
  if (rows_ == 0) std::fill_n(lags, n, std::isnan(x) ? 0.0 : x);
  const double held = std::isnan(x) ? lags[0] : x;
  std::copy_backward(lags, lags + n - 1, lags + n);
  lags[0] = held;
  lags[n] = 1;
}

void LagRegression::take_gain(std::size_t target, bool first) {
  const std::size_t n = as_size(n_), at = (rows_ % horizon_ * targets_ + target) * n;
  const double* phi = lags_.data() + target * n;
  double* k = gains_.data() + at;
  std::copy_n(phi, n, features_.data() + at);
  std::fill_n(k, n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = covariance_.data() + i * n;
    for (std::size_t j = 0; j < n; ++j) k[j] += row[j] * phi[i];  // Pφ; P is symmetric
  }
  const double lambda = first ? options_.forgetting : 1.0, grow = 1 / lambda;
  const double c = 1 / (lambda + dot(phi, k, n_));
  for (std::size_t i = 0; i < n; ++i) {
    double* row = covariance_.data() + i * n;
    for (std::size_t j = 0; j < n; ++j) row[j] = (row[j] - k[i] * k[j] * c) * grow;
  }
  for (std::size_t j = 0; j < n; ++j) k[j] *= c;
}

void LagRegression::forecast(std::span<double> y) {
  for (std::size_t i = 0; i < targets_; ++i) {
    const double* phi = lags_.data() + i * as_size(n_);
    for (std::size_t h = 0; h < horizon_; ++h) {
      const bool learned = rows_ >= as_size(options_.lags);
      y[i * horizon_ + h] = learned ? dot(weights_.data() + h * as_size(n_), phi, n_) : phi[0];
    }
  }
}

}  // namespace

std::unique_ptr<Baseline> lag_regression(int targets, int horizon, const LagRegressionOptions& options) {
  return std::make_unique<LagRegression>(targets, horizon, options);
}

}  // namespace elastane::series
