// Tests of elastane/core/math/functions-inl.h: accuracy and limits of exp, tanh, gelu and softplus, of every
// instruction set.
#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

TEST_P(KernelsOf, ActivationsHaveTheirLimits) {
  for (const float far : {100.0F, 1e4F, 1e18F}) {
    Floats x(kLane);
    const auto at = [&](Activation kind, float value) {
      x[0] = value;
      k->activate(kind, x, kLane);
      return x[0];
    };
    EXPECT_EQ(at(Activation::tanh, far), 1.0F);
    EXPECT_EQ(at(Activation::tanh, -far), -1.0F);
    for (const Activation kind : {Activation::silu, Activation::gelu}) {
      EXPECT_EQ(at(kind, far), far);
      EXPECT_LE(std::fabs(at(kind, -far)), far * 1e-37F);
    }
  }
  for (const Activation kind : {Activation::none, Activation::tanh, Activation::silu, Activation::gelu}) {
    Floats zero(kLane);
    k->activate(kind, zero, kLane);
    EXPECT_EQ(zero[0], 0.0F) << "padding must stay zero";
  }
}

TEST_P(KernelsOf, GeluKeepsItsRelativeAccuracyInTheTail) {
  // e^(−x²/2) magnifies the rounding of x² by x²/2
  for (double at = -12; at <= 12; at += 1.0 / 64) {
    Floats x(kLane);
    x[0] = static_cast<float>(at);
    k->activate(Activation::gelu, x, kLane);
    const double expected = reference::gelu(static_cast<float>(at));
    ASSERT_NEAR(x[0], expected, (kTolerance + 2e-7 * at * at / 2) * std::fabs(expected)) << at;
  }
}

TEST_P(KernelsOf, SoftplusEqualsItsTwinInRelativeTermsAndAtItsLimits) {
  for (const float scale : {0.0F, 0.25F, 1.0F, 7.0F}) {
    for (const double bound : {1.0, 15.0, 80.0}) {
      Floats x(3 * kLane);
      x.fill(random, bound);
      Floats expected = x;
      const Floats before = x;
      k->softplus(scale, x, x.size());
      reference::softplus(scale, expected, x.size());
      for (int i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], kTolerance * expected[i]) << before[i];
    }
  }
  Floats far(kLane);
  far[0] = 1e4F;
  far[1] = -1e4F;
  k->softplus(2.0F, far, kLane);
  EXPECT_EQ(far[0], 2e4F);
  EXPECT_GE(far[1], 0.0F);
  EXPECT_LE(far[1], 1e-37F);
}

}  // namespace
}  // namespace elastane
