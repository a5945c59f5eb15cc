// lab/series/baselines.cpp
#include "lab/series/baselines.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "elastane/core/base/random.h"

namespace elastane::series {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// an autoregression of second order, one a channel
std::vector<std::vector<double>> draw(int rows, int channels) {
  Random random(7);
  std::vector<std::vector<double>> x(rows, std::vector<double>(channels));
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < channels; ++c) {
      const double one = r > 0 ? x[r - 1][c] : 0, two = r > 1 ? x[r - 2][c] : 0;
      x[r][c] = 1.1 * one - 0.4 * two + random.normal();
    }
  }
  return x;
}

std::vector<double> forecast_of(Univariate& method, int horizon) {
  std::vector<double> y(horizon);
  method.forecast(y);
  return y;
}

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

TEST(LagRegression, goes_on_over_missing_values) {
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

// the same filter with matrices, nothing saved
TEST(KalmanAutoregression, equals_a_dense_filter) {
  constexpr int kLags = 3;
  const auto x = draw(200, 1);
  const auto method = kalman_autoregression({.lags = kLags, .walk = 1e-3, .prior = 2});
  Vector w = Vector::Zero(kLags + 1);
  w[0] = 1;
  Matrix p = 2 * Matrix::Identity(kLags + 1, kLags + 1);
  for (int r = 0; r < 200; ++r) {
    method->follow(x[r][0]);
    if (r < kLags) continue;
    const Vector phi = features(x, r - 1, 0, kLags);
    p += 1e-3 * Matrix::Identity(kLags + 1, kLags + 1);
    const double spread = 1 + phi.dot(p * phi);
    const Vector k = p * phi / spread;
    w += k * (x[r][0] - w.dot(phi));
    p = (Matrix::Identity(kLags + 1, kLags + 1) - k * phi.transpose()) * p;
  }
  const std::vector<double> y = forecast_of(*method, 2);
  Vector phi = features(x, 199, 0, kLags);
  EXPECT_NEAR(y[0], w.dot(phi), 1e-9);
  const Vector then = phi;
  phi[0] = y[0];
  for (int j = 1; j < kLags; ++j) phi[j] = then[j - 1];
  EXPECT_NEAR(y[1], w.dot(phi), 1e-9);
}

TEST(Smoothing, without_trend_and_season_is_a_running_mean) {
  const auto method = smoothing({.level = 0.25});
  double level = 3;
  for (const double x : {3.0, 5.0, -1.0, 2.0}) {
    method->follow(x);
    level += 0.25 * (x - level);
  }
  EXPECT_DOUBLE_EQ(forecast_of(*method, 3)[2], level);
}

TEST(Smoothing, learns_a_season) {
  const auto method = smoothing({.level = 0.1, .season = 0.3, .period = 3});
  const double season[] = {1, -2, 5};
  for (int r = 0; r < 300; ++r) method->follow(season[r % 3]);
  const std::vector<double> y = forecast_of(*method, 4);
  for (int h = 0; h < 4; ++h) EXPECT_NEAR(y[h], season[h % 3], 1e-3);
}

TEST(Naive, repeats_the_last_value_or_the_last_season) {
  const auto last = persistence(), season = seasonal_naive(3);
  for (const double x : {1.0, 2.0, 3.0, 4.0, kMissing}) {
    last->follow(x);
    season->follow(x);
  }
  EXPECT_EQ(forecast_of(*last, 2), (std::vector<double>{4, 4}));
  // rows 2, 3, 4; the last is missing and stays what it was a season before
  EXPECT_EQ(forecast_of(*season, 4), (std::vector<double>{3, 4, 2, 3}));
}

Dataset dataset(const std::vector<std::vector<double>>& x) {
  Dataset data;
  data.targets = x[0].size();
  data.series.resize(1);
  data.series[0].channels = x[0].size();
  for (std::size_t c = 0; c < x[0].size(); ++c) data.names.push_back("x" + std::to_string(c));
  for (const auto& row : x) {
    data.series[0].values.insert(data.series[0].values.end(), row.begin(), row.end());
    data.series[0].ticks.push_back(data.series[0].ticks.size());
  }
  return data;
}

TEST(Choice, takes_what_is_best_on_the_held_out_rows_for_every_target) {
  Random random(5);
  std::vector<std::vector<double>> x;
  double walk = 0;
  for (int r = 0; r < 600; ++r) x.push_back({walk += random.normal(), random.normal()});
  std::vector<std::unique_ptr<Univariate>> candidates;
  candidates.push_back(smoothing({.level = 0.02}));
  candidates.push_back(smoothing({.level = 1.0}));
  const Dataset data = dataset(x);
  const auto chosen = choose_each_target(std::move(candidates), data, {{400}, {100}, {100}}, {{"", {0, 0}, {1, 1}}}, 1);
  for (const auto& row : x) chosen->follow(row);
  std::vector<double> y(2);
  chosen->forecast(y);
  EXPECT_EQ(y[0], x.back()[0]);     // a random walk: the last value
  EXPECT_LT(std::fabs(y[1]), 0.5);  // noise: a long mean
}

TEST(InUnits, covers_what_it_should_and_keeps_its_state_when_cloned) {
  const auto x = draw(3000, 1);
  std::vector<std::unique_ptr<Univariate>> one;
  one.push_back(persistence());
  const auto method = in_units(each_target(std::move(one), 2), 1, 2, {{"", {10}, {3}}});
  Score score(1, 2, std::vector<double>{3.0});
  std::unique_ptr<ForecastMethod> copy;
  for (std::uint64_t r = 0; r < x.size(); ++r) {
    const double row[] = {10 + 3 * x[r][0]};
    score.judge(r, row);
    method->observe(r, row);
    score.issue(r, method->forecast(), method->lower(), method->upper());
    EXPECT_NEAR(method->forecast()[1], row[0], 1e-12);
    if (copy) copy->observe(r, row);
    if (r == 1000) copy = method->clone();
  }
  EXPECT_NEAR(score.coverage(), 0.9, 0.01);
  EXPECT_EQ(copy->lower()[1], method->lower()[1]);
}

}  // namespace
}  // namespace elastane::series
