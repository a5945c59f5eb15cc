// Tests of elastane/core/math/recurrence-inl.h: convolutions, recurrences and gated cells, of every instruction set,
// against their twins.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

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
  // ΔA = −1e-6 per step; rounding e^(ΔA) itself to float32 would be wrong by up to 3 % of the decay
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

}  // namespace
}  // namespace elastane
