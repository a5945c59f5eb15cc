// elastane/core/math/forecast_kernels.cpp: the kernels of every instruction set against plain loops over the full matrix.
#include "elastane/core/math/forecast_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/forecast/mixture.h"
#include "tests/core/math/every_isa.h"

namespace elastane {
namespace {

class ForecastKernelsOf : public EveryIsa {};

INSTANTIATE_TEST_SUITE_P(Isa, ForecastKernelsOf, kEveryIsa, isa_name);

// a full symmetric matrix, and its lower blocks with rubbish right of them
struct Symmetric {
  Symmetric(Random& random, int n_) : n(n_), stride(double_stride(n_)), full(n * stride), lower(n * stride, 1e9) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) full[i * stride + j] = full[j * stride + i] = random.normal();
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i - i % kDoubleLane + kDoubleLane; ++j) lower[i * stride + j] = full[i * stride + j];
    }
  }
  DoubleRows stored() { return {lower.data(), n, stride}; }

  int n, stride;
  std::vector<double> full, lower;
};

std::vector<double> draw(Random& random, int n, int stride) {
  std::vector<double> x(static_cast<std::size_t>(stride));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = random.normal();
  return x;
}

TEST_P(ForecastKernelsOf, AProductEqualsThatOfTheFullMatrixForAnySize) {
  const ForecastKernels& kernels = forecast_kernels(k->isa);
  EXPECT_EQ(kernels.isa, k->isa);
  Random random(1);
  for (const int n : {1, 2, 7, 8, 9, 15, 16, 17, 31, 64, 77}) {
    Symmetric p(random, n);
    const std::vector<double> x = draw(random, n, p.stride);
    std::vector<double> out(static_cast<std::size_t>(p.stride), 7.0);
    kernels.product(p.stored(), x.data(), out.data());
    for (int i = 0; i < p.stride; ++i) {
      double expected = 0;
      for (int j = 0; i < n && j < n; ++j) expected += p.full[i * p.stride + j] * x[static_cast<std::size_t>(j)];
      EXPECT_NEAR(out[static_cast<std::size_t>(i)], expected, 1e-13 * n) << n << ", row " << i;
    }
  }
}

TEST_P(ForecastKernelsOf, ShrinkingTouchesTheLowerBlocksOnlyAndKeepsThemSymmetric) {
  const ForecastKernels& kernels = forecast_kernels(k->isa);
  Random random(2);
  for (const int n : {1, 8, 13, 40}) {
    Symmetric p(random, n);
    const std::vector<double> u = draw(random, n, p.stride);
    kernels.shrink(u.data(), 0.3, 1.25, p.stored());
    for (int i = 0; i < n; ++i) {
      const int end = i - i % kDoubleLane + kDoubleLane;
      for (int j = 0; j < p.stride; ++j) {
        const double before = j < n ? p.full[i * p.stride + j] : 0;
        const double expected =
            j >= end ? 1e9
            : j < n  ? 1.25 * (before - 0.3 * u[static_cast<std::size_t>(i)] * u[static_cast<std::size_t>(j)])
                     : 0;
        EXPECT_NEAR(p.lower[i * p.stride + j], expected, 1e-12) << i << ", " << j;
        if (j < n && j / kDoubleLane == i / kDoubleLane) {
          EXPECT_EQ(p.lower[i * p.stride + j], p.lower[j * p.stride + i]);
        }
      }
    }
  }
}

TEST_P(ForecastKernelsOf, MixturesOfAllStepsEqualThoseOfOneStepAfterTheOther) {
  constexpr int kMembers = 4, kSteps = 24, kPlain = 16;
  const ForecastKernels& kernels = forecast_kernels(k->isa);
  const MixtureOptions o;
  const std::vector<double> first = {0.4, 0.2, 0.2, 0.2};
  Random random(4);
  std::vector<double> common(kPlain * kSteps), shares(kMembers * kSteps), errors(kMembers * kSteps), gain(kSteps);
  std::vector<std::vector<double>> plain_common(kSteps, std::vector<double>(kPlain)), plain_shares(kSteps, first);
  for (int e = 0; e < kMembers; ++e)
    std::fill_n(shares.begin() + e * kSteps, kSteps, first[static_cast<std::size_t>(e)]);
  for (int t = 0; t < 300; ++t) {
    for (std::size_t h = 0; h < kSteps; ++h) {
      gain[h] = random.uniform() < 0.8 ? random.uniform(0.001, 0.1) : 0;  // 0: no label
      MixtureOptions own_memory = o;
      own_memory.memory = 1 - gain[h];
      std::vector<double> own(kMembers);
      for (std::size_t e = 0; e < kMembers; ++e)
        own[e] = errors[e * kSteps + h] = (1.0 + static_cast<double>(e)) * random.normal();
      if (gain[h] > 0) follow(own_memory, 1, own, first, plain_common[h].data(), plain_shares[h]);
    }
    kernels.follow_mixtures({errors.data(), gain.data(), first.data(), common.data(), shares.data(), kMembers, kSteps,
                             1, o.rate, o.share, o.caution});
  }
  for (std::size_t h = 0; h < kSteps; ++h) {
    for (std::size_t e = 0; e < kMembers; ++e) EXPECT_NEAR(shares[e * kSteps + h], plain_shares[h][e], 1e-10);
    for (std::size_t c = 0; c < kPlain; ++c) EXPECT_NEAR(common[c * kSteps + h], plain_common[h][c], 1e-10);
  }
}

TEST_P(ForecastKernelsOf, ADotProductEqualsThatOfAPlainLoop) {
  Random random(3);
  for (const int n : {8, 16, 24, 32, 40, 80, 96}) {
    const std::vector<double> a = draw(random, n, n), b = draw(random, n, n);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i)];
    EXPECT_NEAR(forecast_kernels(k->isa).dot(a.data(), b.data(), n), expected, 1e-12);
  }
}

TEST_P(ForecastKernelsOf, ALabelMovesTheReadOutOfEveryStepThatHasSomethingToLearn) {
  const ForecastKernels& kernels = forecast_kernels(k->isa);
  Random random(4);
  constexpr int kHorizon = 5, kFeatures = 11;
  const int stride = double_stride(kFeatures);
  constexpr std::size_t kRows = kHorizon;
  std::vector<double> features, gains, anchor = draw(random, kHorizon, kHorizon);
  std::vector<double> reach(kRows, 0.5), weights;
  for (std::size_t r = 0; r < kRows; ++r) {
    for (auto* to : {&features, &gains}) {
      const std::vector<double> x = draw(random, kFeatures, stride);
      to->insert(to->end(), x.begin(), x.end());
    }
  }
  for (int h = 0; h < kHorizon; ++h) {
    const std::vector<double> x = draw(random, kFeatures, stride);
    weights.insert(weights.end(), x.begin(), x.end());
  }
  constexpr int kSlot = 2, kOrigins = 4;
  reach[0] = 0;  // slot 0, two rows ago
  std::vector<double> moved = weights;
  const LabelBatch batch{features.data(), anchor.data(), gains.data(), reach.data(), moved.data(),
                         kHorizon,        stride,        kSlot,        kOrigins,     3.0};
  EXPECT_TRUE(kernels.learn_label(batch));
  for (int h = 1; h <= kHorizon; ++h) {
    const int row = (kSlot - h + kHorizon) % kHorizon;
    const double* phi = features.data() + row * stride;
    const double* w = weights.data() + (h - 1) * stride;
    double error = 3.0 - anchor[static_cast<std::size_t>(row)];
    for (int f = 0; f < stride; ++f) error -= w[f] * phi[f];
    if (h > kOrigins || h == 2) error = 0;
    for (int f = 0; f < stride; ++f)
      EXPECT_NEAR(moved[static_cast<std::size_t>((h - 1) * stride + f)], w[f] + error * gains[row * stride + f], 1e-13);
  }
  LabelBatch none = batch;
  none.origins = 0;
  EXPECT_FALSE(kernels.learn_label(none));
}

}  // namespace
}  // namespace elastane
