// lab/series/baselines_lags.cpp
#include "lab/series/baselines.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "tests/lab/series/drawn_rows.h"

namespace elastane::series {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// the newest value first, then 1
Vector features(const std::vector<std::vector<double>>& x, int row, int channel, int lags) {
  Vector phi(lags + 1);
  for (int j = 0; j < lags; ++j) phi[j] = x[row - j][channel];
  phi[lags] = 1;
  return phi;
}

// ridge regression with weights λ^(age), as one system for one horizon step; labels up to the last row
Vector weighted_ridge(const std::vector<std::vector<double>>& x, int lags, int step, double lambda, double prior) {
  const int rows = static_cast<int>(x.size()), channels = static_cast<int>(x[0].size());
  Matrix a = Matrix::Identity(lags + 1, lags + 1) / prior;
  Vector b = Vector::Zero(lags + 1);
  for (int r = lags - 1; r + step < rows; ++r) {
    a *= lambda;
    b *= lambda;
    for (int c = 0; c < channels; ++c) {
      const Vector phi = features(x, r, c, lags);
      a += phi * phi.transpose();
      b += phi * x[r + step][c];
    }
  }
  return a.ldlt().solve(b);
}

TEST(LagRegression, equals_weighted_ridge_regression_at_every_horizon_step) {
  constexpr int kLags = 5, kChannels = 3, kHorizon = 4;
  const auto x = draw(120, kChannels);
  const auto method = lag_regression(kChannels, kHorizon, {.lags = kLags, .forgetting = 0.97, .prior = 10});
  for (const auto& row : x) method->follow(row);
  std::vector<double> y(kChannels * kHorizon);
  method->forecast(y);
  for (int h = 1; h <= kHorizon; ++h) {
    const Vector w = weighted_ridge(x, kLags, h, 0.97, 10);
    for (int c = 0; c < kChannels; ++c) {
      EXPECT_NEAR(y[c * kHorizon + h - 1], w.dot(features(x, 119, c, kLags)), 1e-8) << h << " " << c;
    }
  }
}

TEST(LagRegression, continues_over_missing_values) {
  auto x = draw(300, 2);
  for (int r = 50; r < 300; r += 7) x[r][r % 2] = kMissing;
  const auto method = lag_regression(2, 3, {.lags = 4});
  std::vector<double> y(6);
  for (const auto& row : x) {
    method->follow(row);
    method->forecast(y);
    for (const double value : y) ASSERT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace elastane::series
