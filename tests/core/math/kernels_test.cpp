// Tests of elastane/core/math/kernels.cpp: every kernel of every instruction set against its twin of reference.h.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "elastane/core/base/denormals.h"
#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"

namespace elastane {
namespace {

constexpr double kTolerance = 1e-6;  // of the sum of the magnitudes that enter a result
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// a new kernel needs a twin and a test here, or in columns_test.cpp or eigen_test.cpp
static_assert(sizeof(Kernels) == 27 * sizeof(void*));

class KernelsOf : public testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    const auto found = kernels(GetParam());
    if (!found) GTEST_SKIP() << found.error();
    k = *found;
  }

  const Kernels* k = nullptr;
  const FlushDenormals flush;  // as in a step
  Random random{static_cast<std::uint64_t>(7)};
};

INSTANTIATE_TEST_SUITE_P(Isa, KernelsOf, testing::Values(Isa::sse4, Isa::avx2, Isa::avx512),
                         [](const auto& test) { return std::string(name(test.param)); });

// a random matrix, packed; `rows` is a multiple of kLane
struct Matrix {
  Matrix(Random& random, int rows, int cols, Precision precision)
      : packed{.data = nullptr, .rows = rows, .cols = cols, .precision = precision}, bytes(packed.bytes()) {
    packed.data = bytes.data();
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < cols; ++c) {
        const auto value = static_cast<float>(random.uniform(-1, 1));
        const std::size_t i = packed.at(r, c);
        if (precision == Precision::float32) {
          reinterpret_cast<float*>(bytes.data())[i] = value;
        } else {
          reinterpret_cast<std::uint16_t*>(bytes.data())[i] = to_bfloat16(value);
        }
      }
    }
  }

  // |start| + |W||x|
  double magnitude(int row, const float* start, const float* x) const {
    double sum = start == nullptr ? 0.0 : std::fabs(start[row]);
    for (int c = 0; c < packed.cols; ++c) sum += std::fabs(element(packed, row, c) * x[c]);
    return sum;
  }

  PackedMatrix packed;
  Buffer bytes;
};

TEST_P(KernelsOf, LinearEqualsItsTwinForEveryPanelWidthAndAnyColumns) {
  for (const Precision precision : {Precision::float32, Precision::bfloat16}) {
    for (const int rows : {16, 32, 48, 64, 80, 96, 112, 128, 144, 192}) {
      for (int cols = 1; cols <= 70; ++cols) {
        const Matrix w(random, rows, cols, precision);
        Floats x(padded(cols)), start(rows), y(rows), expected(rows);
        x.fill(random, 2, cols, x.size());
        start.fill(random, 1);
        const ConstRows in = {x, 1, x.size()};
        for (const float* from : {static_cast<const float*>(start), static_cast<const float*>(nullptr)}) {
          k->linear(w.packed, from, in, {y, 1, rows});
          reference::linear(w.packed, from, in, {expected, 1, rows});
          for (int i = 0; i < rows; ++i) {
            ASSERT_NEAR(y[i], expected[i], kTolerance * w.magnitude(i, from, x))
                << rows << " x " << cols << " at " << i;
          }
          ASSERT_TRUE(y.guarded()) << rows << " x " << cols;
        }
      }
    }
  }
}

TEST_P(KernelsOf, LinearGivesTheSameBitsHoweverManyRowsGoTogether) {
  constexpr int kMost = 9;
  for (const Precision precision : {Precision::float32, Precision::bfloat16}) {
    for (const int rows : {16, 32, 48, 64, 80, 112, 192}) {
      for (const int cols : {1, 2, 3, 4, 5, 7, 16, 17, 33, 64, 70}) {
        const Matrix w(random, rows, cols, precision);
        const int stride = padded(cols) + kLane, out_stride = rows + kLane;
        Floats x(kMost * stride), start(rows), single(kMost * out_stride);
        x.fill(random, 2, cols, stride);
        start.fill(random, 1);
        for (int r = 0; r < kMost; ++r)
          k->linear(w.packed, start, {x + r * stride, 1, stride}, {single + r * out_stride, 1, out_stride});
        for (int count = 1; count <= kMost; ++count) {
          Floats y(kMost * out_stride);
          k->linear(w.packed, start, {x, count, stride}, {y, count, out_stride});
          ASSERT_TRUE(same_bits(y, single, count * out_stride)) << count << " rows, " << rows << " x " << cols;
          for (int i = count * out_stride; i < y.size(); ++i) ASSERT_EQ(y[i], 0.0F) << "wrote beyond row " << count;
        }
      }
    }
  }
}

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

TEST_P(KernelsOf, JetsEqualTheirTwinsAndLeaveOutWhatNobodyWants) {
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

TEST_P(KernelsOf, ConvolveEqualsItsTwinAroundTheRing) {
  for (const int taps : {1, 2, 3, 4, 5, 8}) {
    for (const int n : {16, 48, 80}) {
      Floats w(taps * n), b(n), ring(taps * n), x(n), y(n), expected(n);
      w.fill(random, 1);
      b.fill(random, 1);
      ring.fill(random, 1);
      Floats expected_ring = ring;
      for (int step = 0; step < 3 * taps; ++step) {
        const int newest = step % taps;
        x.fill(random, 1);
        k->convolve(w, b, taps, newest, x, n, ring, y);
        reference::convolve(w, b, taps, newest, x, n, expected_ring, expected);
        for (int i = 0; i < n; ++i) ASSERT_NEAR(y[i], expected[i], kTolerance * (taps + 1)) << taps << " taps";
        ASSERT_TRUE(same_bits(ring, expected_ring, ring.size()));
        ASSERT_TRUE(ring.guarded() && y.guarded());
      }
    }
  }
}

TEST_P(KernelsOf, ConvolveKeepsOnlyAdmissibleInputs) {
  const int n = kLane;
  Floats w(2 * n), b(n), ring(n), x(n), y(n);
  for (int i = 0; i < 2 * n; ++i) w[i] = 1;
  const std::array bad = {kNan, kInfinity, -kInfinity, 1e30F, -1e30F};
  for (std::size_t i = 0; i < bad.size(); ++i) x[i] = bad[i];
  x[5] = 1e17F;
  k->convolve(w, b, 2, 0, x, n, ring, y);
  for (std::size_t i = 0; i < bad.size(); ++i) {
    EXPECT_EQ(ring[i], 0.0F) << bad[i];
    EXPECT_EQ(y[i], 0.0F) << bad[i];
  }
  EXPECT_EQ(ring[5], 1e17F);
}

// one selective recurrence with random parts; A is below zero, Δ above
struct Selective {
  Selective(Random& random, int states_, int n_)
      : states(states_),
        n(n_),
        a(states * n),
        delta(n),
        x(n),
        b(padded(states)),
        c(padded(states)),
        d(n),
        s(states * n) {
    for (int i = 0; i < a.size(); ++i) a[i] = -static_cast<float>(std::exp(random.uniform(-3, 3)));
    for (int i = 0; i < n; ++i) delta[i] = static_cast<float>(std::exp(random.uniform(-7, 2)));
    x.fill(random, 2);
    b.fill(random, 2);
    c.fill(random, 2);
    d.fill(random, 2);
    s.fill(random, 2);
  }
  int states, n;
  Floats a, delta, x, b, c, d, s;
};

TEST_P(KernelsOf, SelectiveRecurrenceEqualsItsTwin) {
  for (const int states : {1, 2, 3, 7, 16}) {
    for (const int n : {16, 32, 48, 80}) {
      Selective m(random, states, n);
      Floats expected = m.s, y(n), expected_y(n);
      const Floats before = m.s;
      k->selective_advance(m.a, m.delta, m.x, m.b, states, n, m.s);
      reference::selective_advance(m.a, m.delta, m.x, m.b, states, n, expected);
      for (int i = 0; i < states * n; ++i) {
        const double magnitude = std::fabs(before[i]) + std::fabs(m.delta[i % n] * m.x[i % n] * m.b[i / n]);
        ASSERT_NEAR(m.s[i], expected[i], kTolerance * magnitude);
      }
      k->selective_read(m.c, m.d, m.x, m.s, states, n, y);
      reference::selective_read(m.c, m.d, m.x, m.s, states, n, expected_y);
      for (int i = 0; i < n; ++i) {
        double magnitude = std::fabs(m.d[i] * m.x[i]);
        for (int j = 0; j < states; ++j) magnitude += std::fabs(m.c[j] * m.s[j * n + i]);
        ASSERT_NEAR(y[i], expected_y[i], kTolerance * magnitude);
      }
      ASSERT_TRUE(m.s.guarded() && y.guarded());
    }
  }
}

TEST_P(KernelsOf, SelectiveRecurrenceForgetsAllAfterALongTime) {
  Selective m(random, 2, kLane);
  for (int i = 0; i < m.a.size(); ++i) m.a[i] = -1e4F;
  for (int i = 0; i < kLane; ++i) m.delta[i] = 1e4F;
  for (int i = 0; i < kLane; ++i) m.x[i] = 0.0F;
  k->selective_advance(m.a, m.delta, m.x, m.b, 2, kLane, m.s);
  for (int i = 0; i < m.s.size(); ++i) EXPECT_LE(std::fabs(m.s[i]), 1e-37F);
}

TEST_P(KernelsOf, SelectiveRecurrenceStandsStillInNoTime) {
  Selective m(random, 3, kLane);
  for (int i = 0; i < kLane; ++i) m.delta[i] = 0.0F;
  const Floats before = m.s;
  k->selective_advance(m.a, m.delta, m.x, m.b, 3, kLane, m.s);
  EXPECT_TRUE(same_bits(m.s, before, before.size()));
}

// one leaky recurrence with random parts
struct Leaky {
  Leaky(Random& random, int n_) : n(n_), a(n), delta(n), b(n), z(n) {
    for (int i = 0; i < n; ++i) a[i] = -static_cast<float>(std::exp(random.uniform(-3, 3)));
    for (int i = 0; i < n; ++i) delta[i] = static_cast<float>(std::exp(random.uniform(-12, 4)));
    b.fill(random, 2);
    z.fill(random, 2);
  }
  int n;
  Floats a, delta, b, z;
};

TEST_P(KernelsOf, LeakyRecurrenceEqualsItsTwin) {
  for (const int n : {16, 32, 48, 80}) {
    for (int round = 0; round < 20; ++round) {
      Leaky m(random, n);
      Floats expected = m.z;
      const Floats before = m.z;
      k->leaky_advance(m.a, m.delta, m.b, n, m.z);
      reference::leaky_advance(m.a, m.delta, m.b, n, expected);
      for (int i = 0; i < n; ++i) {
        ASSERT_NEAR(m.z[i], expected[i], kTolerance * (std::fabs(before[i]) + std::fabs(m.b[i]))) << m.delta[i];
      }
      ASSERT_TRUE(m.z.guarded());
    }
  }
}

TEST_P(KernelsOf, LeakyRecurrenceStaysBetweenItsStateAndItsDrive) {
  for (int round = 0; round < 100; ++round) {
    Leaky m(random, 2 * kLane);
    const Floats before = m.z;
    k->leaky_advance(m.a, m.delta, m.b, m.n, m.z);
    for (int i = 0; i < m.n; ++i) {
      ASSERT_GE(m.z[i], std::min(before[i], m.b[i]) - 2e-7F) << m.delta[i];
      ASSERT_LE(m.z[i], std::max(before[i], m.b[i]) + 2e-7F) << m.delta[i];
    }
  }
}

TEST_P(KernelsOf, LeakyRecurrenceReachesItsDriveAfterALongTimeAndStandsStillInNone) {
  for (const float a : {-1e-3F, -1.0F, -1e18F}) {
    Leaky m(random, kLane);
    const Floats before = m.z;
    for (int i = 0; i < kLane; ++i) m.a[i] = a;
    for (int i = 0; i < kLane; ++i) m.delta[i] = 0.0F;
    k->leaky_advance(m.a, m.delta, m.b, kLane, m.z);
    EXPECT_TRUE(same_bits(m.z, before, kLane)) << a;
    for (int i = 0; i < kLane; ++i) m.delta[i] = 1e6F;
    k->leaky_advance(m.a, m.delta, m.b, kLane, m.z);
    for (int i = 0; i < kLane; ++i) EXPECT_NEAR(m.z[i], m.b[i], 4e-7) << a;
  }
}

TEST_P(KernelsOf, TwoStepsOfTheLeakyRecurrenceAreOneOfTwiceTheLength) {
  Leaky m(random, 3 * kLane);
  Floats twice = m.z;
  for (int step = 0; step < 2; ++step) k->leaky_advance(m.a, m.delta, m.b, m.n, m.z);
  for (int i = 0; i < m.n; ++i) m.delta[i] *= 2;
  k->leaky_advance(m.a, m.delta, m.b, m.n, twice);
  for (int i = 0; i < m.n; ++i) EXPECT_NEAR(twice[i], m.z[i], 2e-6);
}

TEST_P(KernelsOf, SlowModesKeepTheirTimeConstant) {
  // ΔA = −1e-6 a step; rounding e^(ΔA) itself to float32 would be wrong by up to 3 % of the decay
  constexpr int kSteps = 700'000;
  const double log2e = 1.4426950408889634;
  Floats a(kLane), delta(kLane), x(kLane), b(kLane), s(kLane), z(kLane), zero(kLane), s_re(kLane), s_im(kLane);
  Floats planes(4 * kLane);
  for (int i = 0; i < kLane; ++i) {
    a[i] = static_cast<float>(-1e-3 * (1 + 0.01 * i) * log2e);
    delta[i] = 1e-3F;
    s[i] = z[i] = s_re[i] = 1.0F;
  }
  Floats a_re(kLane);
  for (int i = 0; i < kLane; ++i) a_re[i] = -1e-3F * (1 + 0.01F * static_cast<float>(i));
  k->discretise(false, a_re, zero, delta, 1.0F, 1, kLane, planes);
  const DiagonalPlanes p = {planes, planes + kLane, planes + 2 * kLane, planes + 3 * kLane};
  for (int t = 0; t < kSteps; ++t) {
    k->selective_advance(a, delta, x, b, 1, kLane, s);
    k->leaky_advance(a, delta, b, kLane, z);
    k->diagonal_advance(p, zero, 1, kLane, s_re, s_im);
  }
  for (int i = 0; i < kLane; ++i) {
    const double rate = 1e-6 * (1 + 0.01 * i) * kSteps;
    EXPECT_NEAR(-std::log(s[i]), rate, 5e-3 * rate) << i;
    EXPECT_NEAR(-std::log(z[i]), rate, 5e-3 * rate) << i;
    EXPECT_NEAR(-std::log(s_re[i]), rate, 5e-3 * rate) << i;
  }
}

struct Diagonal {
  Diagonal(Random& random, int pairs_, int n_)
      : pairs(pairs_), n(n_), e(2 * pairs * n), b(2 * pairs * n), c(2 * pairs * n), s(2 * pairs * n), d(n), u(n) {
    for (Floats* part : {&e, &b, &c, &s, &d, &u}) part->fill(random, 1.5);
  }
  DiagonalPlanes planes() const { return {e, e + pairs * n, b, b + pairs * n}; }
  float* re() { return s; }
  float* im() { return s + pairs * n; }

  int pairs, n;
  Floats e, b, c, s, d, u;
};

TEST_P(KernelsOf, DiagonalRecurrenceEqualsItsTwin) {
  for (const int pairs : {1, 2, 3, 8}) {
    for (const int n : {16, 32, 48, 80}) {
      Diagonal m(random, pairs, n);
      const int plane = pairs * n;
      Floats expected = m.s, y(n), expected_y(n);
      k->diagonal_advance(m.planes(), m.u, pairs, n, m.re(), m.im());
      reference::diagonal_advance(m.planes(), m.u, pairs, n, expected, expected + plane);
      for (int i = 0; i < 2 * plane; ++i) ASSERT_NEAR(m.s[i], expected[i], kTolerance * 8);  // |s| + |Ē||s| + |B̄||u|
      k->diagonal_read(m.c, m.c + plane, m.d, m.u, m.re(), m.im(), pairs, n, y);
      reference::diagonal_read(m.c, m.c + plane, m.d, m.u, m.re(), m.im(), pairs, n, expected_y);
      for (int i = 0; i < n; ++i) {
        double magnitude = std::fabs(m.d[i] * m.u[i]);
        for (int j = i; j < plane; j += n)
          magnitude += std::fabs(m.c[j] * m.s[j]) + std::fabs(m.c[plane + j] * m.s[plane + j]);
        ASSERT_NEAR(y[i], expected_y[i], kTolerance * magnitude);
      }
      ASSERT_TRUE(m.s.guarded() && y.guarded());
    }
  }
}

// A and steps of a diagonal block in the range that training visits, and the slow mode A = −1e-3 among them
struct Continuous {
  Continuous(Random& random, int pairs_, int n_) : pairs(pairs_), n(n_), a_re(pairs * n), a_im(pairs * n), step(n) {
    for (int i = 0; i < pairs * n; ++i) {
      a_re[i] = -static_cast<float>(std::exp(random.uniform(-7, 2)));
      a_im[i] = static_cast<float>(3.14159265 * (i / n));
    }
    for (int i = 0; i < n; ++i) step[i] = static_cast<float>(std::exp(random.uniform(std::log(0.001), std::log(0.1))));
  }
  int pairs, n;
  Floats a_re, a_im, step;
};

TEST_P(KernelsOf, DiscretiseEqualsItsTwin) {
  for (const bool bilinear : {false, true}) {
    for (const int pairs : {1, 2, 8}) {
      for (const int n : {16, 48}) {
        for (const float dt : {1e-3F, 0.5F, 1.0F, 2.0F, 100.0F, 1e4F}) {
          const Continuous m(random, pairs, n);
          const int plane = pairs * n;
          Floats out(4 * plane), expected(4 * plane);
          k->discretise(bilinear, m.a_re, m.a_im, m.step, dt, pairs, n, out);
          reference::discretise(bilinear, m.a_re, m.a_im, m.step, dt, pairs, n, expected);
          for (int i = 0; i < plane; ++i) {
            // relative to |Ē| and |B̄| = |Ē/A|, but that the phase ΔA_imag of 1 + Ē is known to its rounding alone
            const double phase = std::fabs(static_cast<double>(dt) * m.step[i % n] * m.a_im[i]);
            const double size = std::hypot(expected[i], expected[plane + i]);
            const double turned = std::hypot(1 + expected[i], expected[plane + i]);
            const double tolerance = kTolerance * size + 2e-7 * phase * turned;
            const double a = std::hypot(m.a_re[i], m.a_im[i]);
            for (const int at : {i, plane + i}) {
              ASSERT_NEAR(out[at], expected[at], tolerance) << bilinear << ", dt " << dt << ", phase " << phase;
              ASSERT_NEAR(out[2 * plane + at], expected[2 * plane + at], tolerance / a) << bilinear << ", dt " << dt;
            }
          }
          ASSERT_TRUE(out.guarded());
        }
      }
    }
  }
}

TEST_P(KernelsOf, DiscretiseKeepsSlowModesInRelativeTerms) {
  for (const bool bilinear : {false, true}) {
    Floats a_re(kLane), a_im(kLane), step(kLane), out(4 * kLane), expected(4 * kLane);
    for (int i = 0; i < kLane; ++i) {
      a_re[i] = -1e-3F / static_cast<float>(i + 1);  // ΔA from −1e-6 to −6e-8
      step[i] = 1e-3F;
    }
    k->discretise(bilinear, a_re, a_im, step, 1.0F, 1, kLane, out);
    reference::discretise(bilinear, a_re, a_im, step, 1.0F, 1, kLane, expected);
    for (const int part : {0, 2}) {
      for (int i = part * kLane; i < (part + 1) * kLane; ++i) {
        EXPECT_NEAR(out[i], expected[i], kTolerance * std::fabs(expected[i])) << bilinear;
      }
    }
  }
}

TEST_P(KernelsOf, DiscretiseForgetsAllAfterALongGap) {
  // whatever the phase of a mode, once e^(Re z) has vanished Ē = −1 and B̄ = −1/A
  for (const float dt : {1e5F, 1e6F, 1e7F, 1e9F, 1e12F, 1e18F}) {
    Floats a_re(kLane), a_im(kLane), step(kLane), out(4 * kLane);
    for (int i = 0; i < kLane; ++i) {
      a_re[i] = -0.5F;
      a_im[i] = 3.1415927F * static_cast<float>(i);
      step[i] = 0.01F + 0.005F * static_cast<float>(i);
    }
    k->discretise(false, a_re, a_im, step, dt, 1, kLane, out);
    for (int i = 0; i < kLane; ++i) {
      const std::complex<double> b = -1.0 / std::complex<double>(a_re[i], a_im[i]);
      EXPECT_NEAR(out[i], -1.0, 1e-6) << "dt " << dt << ", mode " << i;
      EXPECT_NEAR(out[kLane + i], 0.0, 1e-6) << "dt " << dt << ", mode " << i;
      EXPECT_NEAR(out[2 * kLane + i], b.real(), 1e-6 * std::abs(b)) << "dt " << dt << ", mode " << i;
      EXPECT_NEAR(out[3 * kLane + i], b.imag(), 1e-6 * std::abs(b)) << "dt " << dt << ", mode " << i;
    }
  }
}

TEST_P(KernelsOf, DiscretiseNeverMakesAModeGrow) {
  // |1 + Ē| ≤ 1 for every A with a real part below zero, also for fast turns over long times
  for (const bool bilinear : {false, true}) {
    for (const float dt : {0.01F, 1.0F, 100.0F, 1e4F, 1e6F}) {
      for (int round = 0; round < 50; ++round) {
        Floats a_re(kLane), a_im(kLane), step(kLane), out(4 * kLane);
        for (int i = 0; i < kLane; ++i) {
          a_re[i] = -static_cast<float>(std::exp(random.uniform(-14, 3)));
          a_im[i] = static_cast<float>(std::exp(random.uniform(-3, 7)));
          step[i] = static_cast<float>(std::exp(random.uniform(-9, 0)));
        }
        k->discretise(bilinear, a_re, a_im, step, dt, 1, kLane, out);
        for (int i = 0; i < kLane; ++i) {
          ASSERT_LE(std::hypot(1.0 + out[i], static_cast<double>(out[kLane + i])), 1 + 1e-5)
              << "A " << a_re[i] << " + " << a_im[i] << "i, step " << step[i] << ", dt " << dt;
        }
      }
    }
  }
}

TEST_P(KernelsOf, TwoStepsOfTheDiagonalHoldAreOneOfTwiceTheLength) {
  // (1 + Ē(dt))² = 1 + Ē(2dt)
  const Continuous m(random, 4, kLane);
  const int plane = 4 * kLane;
  Floats one(4 * plane), two(4 * plane);
  k->discretise(false, m.a_re, m.a_im, m.step, 1.0F, 4, kLane, one);
  k->discretise(false, m.a_re, m.a_im, m.step, 2.0F, 4, kLane, two);
  for (int i = 0; i < plane; ++i) {
    const std::complex<double> e(one[i], one[plane + i]), twice = e * (2.0 + e);
    EXPECT_NEAR(two[i], twice.real(), 2e-6 * std::abs(twice));
    EXPECT_NEAR(two[plane + i], twice.imag(), 2e-6 * std::abs(twice));
  }
}

// gates of a gru (3) or lstm (4), their sums spread over ±bound
struct Gates {
  Gates(Random& random, int gates, int n, double bound) : gi(gates * n), gh(gates * n), h(n), c(n) {
    gi.fill(random, bound / 2);
    gh.fill(random, bound / 2);
    h.fill(random, 1);
    c.fill(random, 3);
  }
  Floats gi, gh, h, c;
};

TEST_P(KernelsOf, GatedCellsEqualTheirTwinsForEveryTimeStep) {
  for (const int n : {16, 32, 48, 80}) {
    for (const double bound : {1.0, 8.0, 40.0}) {
      for (const float dt : {0.0F, 1e-3F, 0.5F, 1.0F, 2.0F, 17.0F}) {
        Gates gru(random, 3, n, bound);
        Floats expected = gru.h;
        k->gru_advance(gru.gi, gru.gh, dt, n, gru.h);
        reference::gru_advance(gru.gi, gru.gh, dt, n, expected);
        // the gates' sums are rounded before they enter an exponential
        const double tolerance = kTolerance * (2 + 0.1 * bound);
        for (int i = 0; i < n; ++i) ASSERT_NEAR(gru.h[i], expected[i], tolerance) << "gru, dt " << dt << ", ±" << bound;

        Gates lstm(random, 4, n, bound);
        Floats expected_h = lstm.h, expected_c = lstm.c;
        const Floats before = lstm.c;
        k->lstm_advance(lstm.gi, lstm.gh, dt, n, lstm.h, lstm.c);
        reference::lstm_advance(lstm.gi, lstm.gh, dt, n, expected_h, expected_c);
        for (int i = 0; i < n; ++i) {
          const double magnitude = std::fabs(before[i]) + std::fabs(expected_c[i] - before[i]) + 1;
          ASSERT_NEAR(lstm.c[i], expected_c[i], tolerance * magnitude) << "lstm, dt " << dt << ", ±" << bound;
          ASSERT_NEAR(lstm.h[i], expected_h[i], tolerance * magnitude) << "lstm, dt " << dt << ", ±" << bound;
        }
        ASSERT_TRUE(gru.h.guarded() && lstm.h.guarded() && lstm.c.guarded());
      }
    }
  }
}

TEST_P(KernelsOf, GatedCellsObeySaturatedGates) {
  for (const float far : {60.0F, 80.0F, 87.5F, 90.0F, 100.0F, 1e4F}) {
    for (const float dt : {0.5F, 1.0F, 2.0F}) {
      for (const float open : {far, -far}) {
        Floats gi(4 * kLane), gh(4 * kLane), h(kLane), c(kLane), expected_h(kLane), expected_c(kLane);
        for (int i = 0; i < kLane; ++i) {
          gi[i] = 0.3F;               // r, or i
          gi[kLane + i] = open;       // z, or f
          gi[2 * kLane + i] = -0.7F;  // n, or g
          gi[3 * kLane + i] = 0.2F;   // o
          h[i] = expected_h[i] = 0.25F;
          c[i] = expected_c[i] = 0.5F;
        }
        k->gru_advance(gi, gh, dt, kLane, h);
        reference::gru_advance(gi, gh, dt, kLane, expected_h);
        EXPECT_NEAR(h[0], expected_h[0], kTolerance) << "gru, gate " << open << ", dt " << dt;
        k->lstm_advance(gi, gh, dt, kLane, h, c);
        reference::lstm_advance(gi, gh, dt, kLane, expected_h, expected_c);
        EXPECT_NEAR(c[0], expected_c[0], 2 * kTolerance) << "lstm, gate " << open << ", dt " << dt;
        EXPECT_NEAR(h[0], expected_h[0], 2 * kTolerance) << "lstm, gate " << open << ", dt " << dt;
      }
    }
  }
}

TEST_P(KernelsOf, TwoStepsOfAGatedCellWithTheSameGatesAreOneOfTwiceTheLength) {
  const int n = 3 * kLane;
  Gates gru(random, 3, n, 6), lstm(random, 4, n, 6);
  Floats twice_h = gru.h, twice_c = lstm.c, ignored(n);
  for (int step = 0; step < 2; ++step) {
    k->gru_advance(gru.gi, gru.gh, 1.0F, n, gru.h);
    k->lstm_advance(lstm.gi, lstm.gh, 1.0F, n, lstm.h, lstm.c);
  }
  k->gru_advance(gru.gi, gru.gh, 2.0F, n, twice_h);
  k->lstm_advance(lstm.gi, lstm.gh, 2.0F, n, ignored, twice_c);
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(twice_h[i], gru.h[i], 2e-6);
    EXPECT_NEAR(twice_c[i], lstm.c[i], 6e-6);
  }
}

TEST_P(KernelsOf, GatedCellsStandStillInNoTime) {
  const int n = 3 * kLane;
  Gates gru(random, 3, n, 6), lstm(random, 4, n, 6);
  const Floats h = gru.h, c = lstm.c;
  k->gru_advance(gru.gi, gru.gh, 0.0F, n, gru.h);
  k->lstm_advance(lstm.gi, lstm.gh, 0.0F, n, lstm.h, lstm.c);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(gru.h[i], h[i], 2e-7);  // (h − n) + n rounds
  EXPECT_TRUE(same_bits(lstm.c, c, n));
}

TEST_P(KernelsOf, AStateThatIsNotFiniteOrTooLargeBecomesZero) {
  const int n = kLane;
  for (const float bad : {kNan, kInfinity, -kInfinity, 1e30F, -1e30F}) {
    Floats z(n), s_re(n), s_im(n), h(n), cell_h(n), c(n);
    for (Floats* part : {&z, &s_re, &s_im, &h, &c}) (*part)[3] = bad;
    for (Floats* part : {&z, &s_re, &s_im, &h, &c}) (*part)[4] = 1e17F;  // large, but admissible
    const Floats zero(4 * n);
    Floats slow(n), ones(n);
    for (int i = 0; i < n; ++i) slow[i] = -1e-3F;
    for (int i = 0; i < n; ++i) ones[i] = 1.0F;
    k->leaky_advance(slow, ones, zero, n, z);
    k->diagonal_advance({slow, zero, zero, zero}, zero, 1, n, s_re, s_im);
    k->gru_advance(zero, zero, 1.0F, n, h);
    k->lstm_advance(zero, zero, 1.0F, n, cell_h, c);
    for (const Floats* part : {&z, &s_re, &s_im, &h, &c, &cell_h}) EXPECT_EQ((*part)[3], 0.0F) << bad;
    for (const Floats* part : {&z, &s_re, &s_im, &h, &c}) EXPECT_GT((*part)[4], 1e16F) << bad;
  }
}

TEST_P(KernelsOf, InputsThatAreNotFiniteNeverReachAState) {
  const int n = kLane;
  for (const float bad : {kNan, kInfinity, -kInfinity, 1e30F, -1e30F}) {
    Floats s(n), z(n), s_re(n), s_im(n), h(n), cell_h(n), c(n), ones(n), fast(n), inputs(4 * n);
    const Floats zero(4 * n);
    for (int i = 0; i < n; ++i) ones[i] = 1.0F;
    for (int i = 0; i < n; ++i) fast[i] = -1.0F;
    for (int i = 0; i < 4 * n; ++i) inputs[i] = bad;
    k->selective_advance(zero, ones, inputs, ones, 1, n, s);
    k->leaky_advance(fast, ones, inputs, n, z);  // drive, then step
    k->leaky_advance(fast, inputs, ones, n, z);
    k->diagonal_advance({zero, zero, ones, ones}, inputs, 1, n, s_re, s_im);
    for (const float dt : {1.0F, 0.5F}) {
      k->gru_advance(inputs, zero, dt, n, h);
      k->lstm_advance(inputs, zero, dt, n, cell_h, c);
      for (const Floats* part : {&s, &z, &s_re, &s_im, &h, &cell_h, &c}) {
        for (int i = 0; i < n; ++i) ASSERT_LE(std::fabs((*part)[i]), kStateLimit) << bad;  // false for NaN
      }
    }
  }
}

struct Window {
  Window(Random& random, const AttentionShape& shape_, int filled_)
      : shape(shape_),
        filled(filled_),
        q(padded(shape.heads * shape.size)),
        keys(shape.kv_heads * shape.size * shape.slots),
        values(shape.window * shape.kv_stride + kLane),
        scores(shape.slots),
        y(padded(shape.heads * shape.size) + kLane) {
    q.fill(random, 2);
    // slots that were never written hold what must not be seen
    for (int i = 0; i < keys.size(); ++i) {
      keys[i] = i % shape.slots < filled ? static_cast<float>(random.uniform(-2, 2)) : kNan;
    }
    for (int i = 0; i < shape.window * shape.kv_stride; ++i) {
      values[i] = i / shape.kv_stride < filled ? static_cast<float>(random.uniform(-2, 2)) : kNan;
    }
  }
  AttentionShape shape;
  int filled;
  Floats q, keys, values, scores, y;
};

AttentionShape shape_of(int heads, int kv_heads, int size, int window) {
  return {heads, kv_heads, size, window, padded(window), padded(kv_heads * size)};
}

TEST_P(KernelsOf, AttendEqualsItsTwinForAnyHeadsAndWindows) {
  for (const auto& [heads, kv_heads] : {std::pair(1, 1), {2, 1}, {4, 2}, {3, 3}, {6, 2}}) {
    for (const int size : {1, 2, 3, 5, 8, 15, 16, 17, 33}) {
      for (const int window : {1, 2, 7, 16, 17, 40}) {
        for (const int filled : {1, window / 2, window - 1, window}) {
          if (filled < 1) continue;
          Window w(random, shape_of(heads, kv_heads, size, window), filled);
          const int outputs = heads * size;
          Floats expected(outputs), weights(w.shape.slots);
          k->attend(w.shape, w.q, w.keys, w.values, filled, w.scores, w.y);
          reference::attend(w.shape, w.q, w.keys, w.values, filled, weights, expected);
          for (int i = 0; i < outputs; ++i) {
            // weights sum to one and values lie within 2; a score is rounded in sums of up to 4·size/√size
            ASSERT_NEAR(w.y[i], expected[i], kTolerance * (2 + std::sqrt(size)))
                << heads << "/" << kv_heads << " heads of " << size << ", " << filled << " of " << window;
          }
          ASSERT_TRUE(w.scores.guarded() && w.y.guarded());
        }
      }
    }
  }
}

TEST_P(KernelsOf, AttendPicksTheOnlyLargeScore) {
  Window w(random, shape_of(1, 1, 4, 20), 20);
  for (int i = 0; i < w.keys.size(); ++i) w.keys[i] = i % w.shape.slots == 11 ? 1e4F : -1e4F;
  for (int i = 0; i < 4; ++i) w.q[i] = 1.0F;
  k->attend(w.shape, w.q, w.keys, w.values, 20, w.scores, w.y);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(w.y[i], w.values[11 * w.shape.kv_stride + i]);
}

TEST_P(KernelsOf, AttendOverOneStepIsThatStep) {
  Window w(random, shape_of(2, 1, 5, 7), 1);
  k->attend(w.shape, w.q, w.keys, w.values, 1, w.scores, w.y);
  for (int head = 0; head < 2; ++head) {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(w.y[head * 5 + i], w.values[i]);
  }
}

TEST(InstructionSets, AreKnownByName) {
  for (const Isa isa : {Isa::automatic, Isa::sse4, Isa::avx2, Isa::avx512}) {
    EXPECT_EQ(parse_isa(name(isa)).value(), isa);
  }
  const auto unknown = parse_isa("neon");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("neon"), std::string::npos);
  EXPECT_NE(unknown.error().find("sse4, avx2 or avx512"), std::string::npos);
}

TEST(InstructionSets, AutomaticIsTheBestThatThisMachineHas) {
  Isa best = Isa::automatic;
  for (const Isa isa : {Isa::sse4, Isa::avx2, Isa::avx512}) {
    if (const auto found = kernels(isa)) {
      EXPECT_EQ((*found)->isa, isa);
      best = isa;
    }
  }
  EXPECT_EQ(kernels().value()->isa, best);
}

}  // namespace
}  // namespace elastane
