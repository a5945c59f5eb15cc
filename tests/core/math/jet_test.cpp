// Tests of elastane/core/math/jet-inl.h: derivatives of activations, of every instruction set, against their twins.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

TEST_P(KernelsOf, JetsEqualTheirTwinsAndLeaveOutWhatIsNotAskedFor) {
  for (const Curve kind : {Curve::tanh, Curve::silu, Curve::gelu, Curve::sigmoid, Curve::softplus, Curve::log_sigmoid,
                           Curve::exponential}) {
    for (const double bound : {1e-3, 1.0, 8.0, 30.0}) {
      const int n = 3 * kLane;
      Floats x(n), y(n), slope(n), curvature(n), expected_y(n), expected_slope(n), expected_curvature(n), alone(n);
      x.fill(random, bound);
      k->activation_jet(kind, x, n, y, slope, curvature);
      reference::activation_jet(kind, x, n, expected_y, expected_slope, expected_curvature);
      for (int i = 0; i < n; ++i) {
        // e^x magnifies the rounding of x; the factor of a negative tail is small
        const double near = 4 * kTolerance * (kind == Curve::exponential ? expected_y[i] : 1 + std::fabs(x[i]));
        ASSERT_NEAR(y[i], expected_y[i], near) << static_cast<int>(kind) << ": " << x[i];
        ASSERT_NEAR(slope[i], expected_slope[i], near) << static_cast<int>(kind) << ": " << x[i];
        ASSERT_NEAR(curvature[i], expected_curvature[i], near) << static_cast<int>(kind) << ": " << x[i];
      }
      k->activation_jet(kind, x, n, alone, nullptr, nullptr);
      ASSERT_TRUE(same_bits(alone, y, n));
      ASSERT_TRUE(y.guarded() && slope.guarded() && curvature.guarded());
    }
  }
}

TEST_P(KernelsOf, JetsOfModelsActivationsHaveTheSameValuesToTheBit) {
  const std::array pairs = {std::pair(Activation::tanh, Curve::tanh), std::pair(Activation::silu, Curve::silu),
                            std::pair(Activation::gelu, Curve::gelu)};
  for (const auto& [activation, curve] : pairs) {
    Floats x(4 * kLane), y(4 * kLane);
    x.fill(random, 5);
    k->activation_jet(curve, x, x.size(), y, nullptr, nullptr);
    k->activate(activation, x, x.size());
    EXPECT_TRUE(same_bits(x, y, x.size()));
  }
}

}  // namespace
}  // namespace elastane
