// Tests of elastane/core/math/elementwise-inl.h: activations, products and norms, of every instruction set, against their
// twins.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

TEST_P(KernelsOf, ActivationsEqualTheirTwins) {
  for (const Activation kind : {Activation::none, Activation::tanh, Activation::silu, Activation::gelu}) {
    for (int n = kLane; n <= 5 * kLane; n += kLane) {
      for (const double bound : {1e-3, 1.0, 8.0, 30.0}) {
        Floats x(n);
        x.fill(random, bound);
        Floats expected = x;
        const Floats before = x;
        k->activate(kind, x, n);
        reference::activate(kind, expected, n);
        for (int i = 0; i < n; ++i) {
          // the factor of a negative tail is small, so the result is measured against the argument
          ASSERT_NEAR(x[i], expected[i], kTolerance * std::fabs(before[i]))
              << static_cast<int>(kind) << ": " << before[i];
        }
        ASSERT_TRUE(x.guarded());
      }
    }
  }
}

TEST_P(KernelsOf, AddAndMultiplyAreExact) {
  for (int n = kLane; n <= 5 * kLane; n += kLane) {
    Floats x(n), y(n);
    x.fill(random, 3);
    y.fill(random, 3);
    Floats sum = y, product = y, expected_sum = y, expected_product = y;
    k->add(x, sum, n);
    k->multiply(x, product, n);
    reference::add(x, expected_sum, n);
    reference::multiply(x, expected_product, n);
    EXPECT_TRUE(same_bits(sum, expected_sum, n));
    EXPECT_TRUE(same_bits(product, expected_product, n));
    EXPECT_TRUE(sum.guarded() && product.guarded());
  }
}

TEST_P(KernelsOf, ScaleRowsIsExactAlsoInPlace) {
  for (int rows = 0; rows <= 5; ++rows) {
    const int n = 3 * kLane, stride = 4 * kLane;
    Floats f(n), x(5 * stride), y(5 * stride), expected(5 * stride);
    f.fill(random, 3);
    x.fill(random, 3);
    k->scale_rows(f, {x, rows, stride}, n, {y, rows, stride});
    reference::scale_rows(f, {x, rows, stride}, n, {expected, rows, stride});
    EXPECT_TRUE(same_bits(y, expected, y.size()));  // and nothing between the rows
    k->scale_rows(f, {x, rows, stride}, n, {x, rows, stride});
    for (int r = 0; r < rows; ++r) EXPECT_TRUE(same_bits(x + r * stride, expected + r * stride, n));
  }
}

TEST_P(KernelsOf, GatedLinearUnitEqualsItsTwinAlsoFarOut) {
  for (const double bound : {1.0, 20.0, 1e4}) {
    for (int n = kLane; n <= 4 * kLane; n += kLane) {
      Floats p(n), q(n), y(n), expected(n);
      p.fill(random, 3);
      q.fill(random, bound);
      q[0] = 1e4F;
      q[1] = -1e4F;
      k->gated_linear_unit(p, q, y, n);
      reference::gated_linear_unit(p, q, expected, n);
      for (int i = 0; i < n; ++i) ASSERT_NEAR(y[i], expected[i], kTolerance * std::fabs(p[i])) << q[i];
      k->gated_linear_unit(p, q, p, n);  // in place
      EXPECT_TRUE(same_bits(p, y, n));
    }
  }
}

TEST_P(KernelsOf, BoundClearsWhatIsNotFiniteOrBeyondTheLimit) {
  const std::array values = {kNan, kInfinity, -kInfinity, 1e30F, -2.5F, 2.0F, -2.0F, 0.5F, -0.0F, 2.0000002F};
  Floats x(kLane);
  for (std::size_t i = 0; i < values.size(); ++i) x[i] = values[i];
  Floats expected = x;
  k->bound(2.0F, x, kLane);
  reference::bound(2.0F, expected, kLane);
  for (int i = 0; i < kLane; ++i) EXPECT_EQ(x[i], expected[i]) << i;
  EXPECT_EQ(x[0], 0.0F);
  EXPECT_EQ(x[6], -2.0F);
  EXPECT_TRUE(x.guarded());
}

TEST_P(KernelsOf, NormsEqualTheirTwinsForEveryTrueLength) {
  for (int n = 1; n <= 70; ++n) {
    for (const double bound : {1e-3, 1.0, 1e3}) {
      for (const double offset : {0.0, 1.0}) {
        Floats x(padded(n)), w(padded(n)), b(padded(n)), rms(padded(n)), layer(padded(n)), expected(padded(n));
        x.fill(random, bound, n, x.size());
        for (int i = 0; i < n; ++i) x[i] += static_cast<float>(offset * bound);
        w.fill(random, 2, n, w.size());
        b.fill(random, 1, n, b.size());
        k->rms_norm(x, w, n, rms);
        reference::rms_norm(x, w, n, expected);
        for (int i = 0; i < n; ++i) ASSERT_NEAR(rms[i], expected[i], kTolerance * std::fabs(expected[i])) << n;

        k->layer_norm(x, w, b, n, layer);
        reference::layer_norm(x, w, b, n, expected);
        // the mean is known to its rounding, which the division magnifies when values lie close together
        double mean = 0, spread = 0;
        for (int i = 0; i < n; ++i) mean += std::fabs(x[i]) / n;
        for (int i = 0; i < n; ++i) spread += (x[i] - mean) * (x[i] - mean) / n;
        const double magnified = 1 + mean / std::sqrt(spread + kNormEpsilon);
        for (int i = 0; i < n; ++i) {
          const double magnitude = std::fabs(expected[i] - b[i]) + std::fabs(b[i]) + std::fabs(w[i]) * magnified;
          ASSERT_NEAR(layer[i], expected[i], kTolerance * magnitude) << n;
        }
        for (int i = n; i < padded(n); ++i) ASSERT_TRUE(rms[i] == 0 && layer[i] == 0) << "padding holds zeros, " << n;
        ASSERT_TRUE(rms.guarded() && layer.guarded());
      }
    }
  }
}

}  // namespace
}  // namespace elastane
