// Tests of elastane/core/math/memory-inl.h: matrices that are read and written by keys, of every instruction set,
// against their twins.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

// one memory with a write, a key and a query
struct Case {
  Case(Random& random, int keys_, int n_) : keys(keys_), n(n_) {
    for (Floats* part : {&m, &key, &query, &gain, &error, &value}) part->fill(random, 1);
  }
  MemoryWrite write() const { return {.keep = 0.9F, .gain = gain, .error = error}; }
  int keys, n;
  Floats m{keys * n}, key{padded(keys)}, query{padded(keys)}, gain{padded(keys)}, error{n}, value{n};
};

void expect_near(const Floats& found, const Floats& expected, double tolerance) {
  for (int i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << i;
  EXPECT_TRUE(found.guarded());
}

constexpr std::array kSizes = {1, 5, 16, 41, 64};

TEST_P(KernelsOf, MemoryPassesEqualTheirTwins) {
  for (const int keys : kSizes) {
    for (const int n : {16, 48, 64, 208}) {
      Case c(random, keys, n);
      Floats k1(n), q1(n), k2(n), q2(n), expected = c.m;
      const double tolerance = 1e-6 * (keys + 4);
      k->memory_read(c.key, c.query, keys, n, c.m, k1, q1);
      EXPECT_TRUE(same_bits(c.m, expected, c.m.size())) << "reading writes nothing";
      reference::memory_read(c.key, c.query, keys, n, c.m, k2, q2);
      expect_near(k1, k2, tolerance);
      expect_near(q1, q2, tolerance);

      Floats eager = c.m;
      k->memory_fold(c.write(), c.key, c.query, keys, n, c.m, k1, q1);
      reference::memory_fold(c.write(), c.key, c.query, keys, n, expected, k2, q2);
      expect_near(c.m, expected, 1e-6);
      expect_near(k1, k2, tolerance);
      expect_near(q1, q2, tolerance);
      k->memory_write(c.write(), keys, n, eager);
      EXPECT_TRUE(same_bits(eager, c.m, eager.size())) << "now or later, a write is the same";
    }
  }
}

TEST_P(KernelsOf, ResidualsEqualTheirTwinAndAreBounded) {
  for (const int n : {16, 64, 80}) {
    Case c(random, 3, n);
    Floats e1(n), e2(n);
    const MemoryResidual found = k->memory_residual(0.7F, c.value, c.error, n, e1);
    const MemoryResidual expected = reference::memory_residual(0.7F, c.value, c.error, n, e2);
    expect_near(e1, e2, 1e-6);
    EXPECT_NEAR(found.error, expected.error, 1e-5 * n);
    EXPECT_NEAR(found.value, expected.value, 1e-5 * n);
    const std::array bad = {kNan, kInfinity, -kInfinity, 1e30F};
    for (std::size_t i = 0; i < bad.size(); ++i) c.value[static_cast<int>(i)] = bad[i];
    c.error[4] = kNan;
    const MemoryResidual bounded = k->memory_residual(1, c.value, c.error, n, e1);
    EXPECT_TRUE(std::isfinite(bounded.error) && std::isfinite(bounded.value));
    for (int i = 0; i < n; ++i) EXPECT_TRUE(std::isfinite(e1[i])) << i;
  }
}

TEST_P(KernelsOf, SumsAndBlendsEqualTheirTwins) {
  for (const int n : {16, 64, 96}) {
    Case c(random, n, n);
    Floats out(n), expected(n);
    EXPECT_NEAR(k->dot(c.key, c.query, n), reference::dot(c.key, c.query, n), 1e-6 * n);
    k->blend(0.3F, c.key, -2, c.query, n, out);
    reference::blend(0.3F, c.key, -2, c.query, n, expected);
    expect_near(out, expected, 1e-6);
  }
}

TEST_P(KernelsOf, TrianglesEqualTheirTwins) {
  for (const int n : kSizes) {
    const int entries = n * (n + 1) / 2;
    Floats p(entries), x(padded(n)), y(padded(n)), expected(padded(n));
    p.fill(random, 1);
    x.fill(random, 1);
    k->triangle_multiply(p, x, n, y);
    reference::triangle_multiply(p, x, n, expected);
    for (int i = 0; i < n; ++i) ASSERT_NEAR(y[i], expected[i], 1e-6 * (n + 2)) << n;
    EXPECT_TRUE(y.guarded());
    Floats other = p;
    k->triangle_update(-0.3F, x, 0.9F, n, p);
    reference::triangle_update(-0.3F, x, 0.9F, n, other);
    expect_near(p, other, 1e-6);
  }
}

TEST_P(KernelsOf, AConvolutionWithoutActivationEqualsItsTwin) {
  for (const int taps : {1, 2, 4, 5}) {
    const int n = 48;
    Floats w(taps * n), ring(taps * n), x(n), y(n), expected(n);
    w.fill(random, 1);
    Floats expected_ring = ring;
    for (int step = 0; step < 3 * taps; ++step) {
      x.fill(random, 1);
      k->convolve_linear(w, taps, step % taps, x, n, ring, y);
      reference::convolve_linear(w, taps, step % taps, x, n, expected_ring, expected);
      expect_near(y, expected, 1e-6 * (taps + 1));
      ASSERT_TRUE(same_bits(ring, expected_ring, ring.size()));
    }
  }
}

}  // namespace
}  // namespace elastane
