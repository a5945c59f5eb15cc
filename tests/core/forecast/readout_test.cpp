// elastane/core/forecast/readout.cpp
#include "elastane/core/forecast/readout.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/objective/gaussian.h"

namespace elastane {
namespace {

constexpr int kFeatures = 21;  // more than two blocks of the covariance

struct Covariance {
  explicit Covariance(double prior) : stride(double_stride(kFeatures)), values(kFeatures * stride), gain(stride) {
    reset_covariance(prior, kFeatures, rows());
  }
  DoubleRows rows() { return {values.data(), kFeatures, stride}; }

  int stride;
  std::vector<double> values, gain;
};

std::vector<double> draw_features(Random& random, int stride) {
  std::vector<double> phi(static_cast<std::size_t>(stride));
  for (int i = 0; i < kFeatures; ++i) phi[static_cast<std::size_t>(i)] = random.normal();
  return phi;
}

TEST(Readout, KalmanGainsAreThoseOfRecursiveLeastSquares) {
  const ForecastKernels& kernel = forecast_kernels(kernels().value()->isa);
  Covariance ours(2);
  Eigen::MatrixXd p = 2 * Eigen::MatrixXd::Identity(kFeatures, kFeatures);
  Random random(1);
  for (int t = 0; t < 50; ++t) {
    const std::vector<double> phi = draw_features(random, ours.stride);
    const Eigen::Map<const Eigen::VectorXd> f(phi.data(), kFeatures);
    const double spread = f.dot(p * f), lambda = 1 - std::fmin(1 - 0.98, 2 * spread / kFeatures);
    const Eigen::VectorXd k = p * f / (lambda + spread);
    p = (p - k * f.transpose() * p) / lambda;
    const double reach =
        take_gain({.forgetting = 0.98, .prior = 2}, kernel, kFeatures, phi.data(), ours.rows(), ours.gain.data());
    EXPECT_NEAR(reach, f.dot(k), 1e-9);
    for (int i = 0; i < kFeatures; ++i) ASSERT_NEAR(ours.gain[static_cast<std::size_t>(i)], k[i], 1e-9) << t;
  }
}

TEST(Readout, EveryKindReachesTheLabelByTheShareItSays) {
  const ForecastKernels& kernel = forecast_kernels(kernels().value()->isa);
  Random random(2);
  for (const Learning learning :
       {Learning::kalman, Learning::latent_covariance, Learning::exact, Learning::euclidean}) {
    Covariance covariance(0.5);
    const std::vector<double> phi = draw_features(random, covariance.stride);
    const double reach = take_gain({.kind = learning, .factor = 0.3, .prior = 0.5}, kernel, kFeatures, phi.data(),
                                   covariance.rows(), covariance.gain.data());
    double product = 0;
    for (std::size_t i = 0; i < phi.size(); ++i) product += phi[i] * covariance.gain[i];
    EXPECT_NEAR(reach, product, 1e-12);
    EXPECT_TRUE(reach > 0 && reach <= 1) << reach;
  }
}

TEST(Readout, ABrokenCovarianceStartsAgainFromThePrior) {
  Covariance broken(1);
  broken.values[0] = -1e9;
  Random random(3);
  const std::vector<double> phi = draw_features(random, broken.stride);
  EXPECT_GT(take_gain({.prior = 1}, forecast_kernels(kernels().value()->isa), kFeatures, phi.data(), broken.rows(),
                      broken.gain.data()),
            0);
}

TEST(Readout, TheLatentOfLabelsIsSolvedByTheirErrors) {
  const std::vector<double> before = {1, 2, 3}, reach = {0.5, 0, 0.25};
  const std::vector<float> labels = {2, 2, 5}, noises = {1, 1, 1};
  LabelLatent latent(before, reach);
  const Gaussian objective({.values = labels, .noises = noises});
  std::vector<double> a(3), y(3), gradient(3), v(3);
  latent.output(a, y);
  EXPECT_EQ(y, before);
  for (std::size_t h = 0; h < 3; ++h) gradient[h] = reach[h] * (y[h] - labels[h]);
  ASSERT_TRUE(latent.solve(objective, y, gradient, v));
  EXPECT_NEAR(v[0], 1, 1e-12);  // label − before
  EXPECT_EQ(v[1], 0);           // out of reach
  EXPECT_NEAR(v[2], 2, 1e-12);
}

}  // namespace
}  // namespace elastane
