// Tests of elastane/core/math/inner.h.
#include "elastane/core/math/inner.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/floats.h"

namespace elastane {
namespace {

TEST(InnerProducts, EqualTheSumForAnyLength) {
  Random random(3);
  for (int n = 0; n <= 70; ++n) {
    Doubles a(n), b(n);
    a.fill(random, 2);
    b.fill(random, 2);
    double sum = 0, magnitude = 0;
    for (int i = 0; i < n; ++i) {
      sum += a[i] * b[i];
      magnitude += std::fabs(a[i] * b[i]);
    }
    EXPECT_NEAR(dot(a.data(), b.data(), n), sum, 1e-15 * n * magnitude) << n;
    EXPECT_NEAR(dot<float>(a.data(), b.data(), n), sum, 1e-6 * magnitude) << n;
  }
}

}  // namespace
}  // namespace elastane
