// elastane/core/math/symmetric_kernels.cpp: the kernels of every instruction set against plain loops over the full matrix.
#include "elastane/core/math/symmetric_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "elastane/core/base/random.h"
#include "tests/core/math/every_isa.h"

namespace elastane {
namespace {

class SymmetricKernelsOf : public EveryIsa {};

INSTANTIATE_TEST_SUITE_P(Isa, SymmetricKernelsOf, kEveryIsa, isa_name);

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

TEST_P(SymmetricKernelsOf, AProductEqualsThatOfTheFullMatrixForAnySize) {
  const SymmetricKernels& kernels = symmetric_kernels(k->isa);
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

TEST_P(SymmetricKernelsOf, ShrinkingTouchesTheLowerBlocksOnlyAndKeepsThemSymmetric) {
  const SymmetricKernels& kernels = symmetric_kernels(k->isa);
  Random random(2);
  for (const int n : {1, 8, 13, 40}) {
    Symmetric p(random, n);
    const std::vector<double> u = draw(random, n, p.stride);
    kernels.shrink(u.data(), 0.3, 1.25, p.stored());
    for (int i = 0; i < n; ++i) {
      const int end = i - i % kDoubleLane + kDoubleLane;
      for (int j = 0; j < p.stride; ++j) {
        const double before = j < n ? p.full[i * p.stride + j] : 0;
        const double expected = j >= end ? 1e9
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

TEST_P(SymmetricKernelsOf, ADotProductEqualsThatOfAPlainLoop) {
  Random random(3);
  for (const int n : {8, 16, 24, 32, 40, 80, 96}) {
    const std::vector<double> a = draw(random, n, n), b = draw(random, n, n);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i)];
    EXPECT_NEAR(symmetric_kernels(k->isa).dot(a.data(), b.data(), n), expected, 1e-12);
  }
}

}  // namespace
}  // namespace elastane
