// lab/series/baselines_kalman.cpp
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

// the newest value first, then 1
Vector features(const std::vector<std::vector<double>>& x, int row, int channel, int lags) {
  Vector phi(lags + 1);
  for (int j = 0; j < lags; ++j) phi[j] = x[row - j][channel];
  phi[lags] = 1;
  return phi;
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

}  // namespace
}  // namespace elastane::series
