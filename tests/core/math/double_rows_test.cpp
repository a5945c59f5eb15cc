// Tests of elastane/core/math/double_rows-inl.h: products of rows and Cholesky, of every instruction set, against their
// twins of reference.h.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/every_isa.h"

namespace elastane {
namespace {

constexpr double kTolerance = 1e-15;  // of the sum of the magnitudes that enter a result, for each of them
constexpr double kUntouched = 7.25;

class DoubleRowsOf : public EveryIsa {
 protected:
  Random random{static_cast<std::uint64_t>(11)};
};

INSTANTIATE_TEST_SUITE_P(Isa, DoubleRowsOf, kEveryIsa, isa_name);

// `count` random columns of length n, with zeros up to the stride
struct Block {
  Block(Random& random, int count_, int n_) : count(count_), n(n_), stride(double_stride(n_)), values(count_ * stride) {
    values.fill(random, 1, n, stride);
  }
  DoubleRows columns() { return {values, count, stride}; }
  ConstDoubleRows columns() const { return {values, count, stride}; }

  int count, n, stride;
  Doubles values;
};

// Σ_k |a_k b_k|
double magnitude(const double* a, const double* b, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += std::fabs(a[k] * b[k]);
  return sum;
}

TEST_P(DoubleRowsOf, GramEqualsItsTwinForAnyCountsAndLengths) {
  for (const int n : {1, 2, 7, 8, 9, 16, 31, 64, 70}) {
    for (int rows = 1; rows <= 10; ++rows) {
      for (int cols = 1; cols <= 10; ++cols) {
        const Block a(random, rows, n), b(random, cols, n);
        const int stride = cols + 3;
        Doubles out(rows * stride), expected(rows * stride);
        for (Doubles* part : {&out, &expected}) {
          for (int i = 0; i < part->size(); ++i) (*part)[i] = kUntouched;
        }
        k->gram(a.columns(), b.columns(), a.stride, out, stride);
        reference::gram(a.columns(), b.columns(), n, expected, stride);
        for (int i = 0; i < rows; ++i) {
          for (int j = 0; j < stride; ++j) {
            const double size = j < cols ? magnitude(a.columns()[i], b.columns()[j], n) : 0.0;
            ASSERT_NEAR(out[i * stride + j], expected[i * stride + j], kTolerance * n * size)
                << rows << " x " << cols << " of " << n << " at " << i << ", " << j;
          }
        }
        ASSERT_TRUE(out.guarded());
      }
    }
  }
}

TEST_P(DoubleRowsOf, GramOfAVectorNeedsNoStride) {
  const Block a(random, 1, 13), b(random, 6, 13);
  Doubles out(6), expected(6);
  k->gram(a.columns(), b.columns(), a.stride, out, 0);
  reference::gram(a.columns(), b.columns(), 13, expected, 0);
  for (int j = 0; j < 6; ++j) EXPECT_NEAR(out[j], expected[j], 1e-14);
}

TEST_P(DoubleRowsOf, AddScaledEqualsItsTwin) {
  for (const int n : {1, 7, 8, 9, 33, 64}) {
    const Block x(random, 1, n);
    Block y(random, 1, n), expected = y;
    k->add_scaled(-1.7, x.values, x.stride, y.values);
    reference::add_scaled(-1.7, x.values, n, expected.values);
    for (int i = 0; i < x.stride; ++i) ASSERT_NEAR(y.values[i], expected.values[i], 1e-14) << n;
    ASSERT_TRUE(y.values.guarded());
  }
}

TEST_P(DoubleRowsOf, ShrinkEqualsItsTwinAndKeepsSymmetryToTheLastBit) {
  for (const int n : {1, 3, 8, 13, 33}) {
    const Block u(random, 1, n);
    Block p(random, n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) p.columns()[i][j] = p.columns()[j][i];
    }
    Block expected = p;
    k->shrink(u.values, 0.3, 1.25, p.columns());
    reference::shrink(u.values, 0.3, 1.25, n, expected.columns());
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < p.stride; ++j) ASSERT_NEAR(p.columns()[i][j], expected.columns()[i][j], 1e-13) << n;
      for (int j = 0; j < i; ++j) ASSERT_EQ(p.columns()[i][j], p.columns()[j][i]);
    }
    ASSERT_TRUE(p.values.guarded());
  }
}

TEST_P(DoubleRowsOf, GramSelfEqualsItsTwinAndIsSymmetricToTheLastBit) {
  for (const int n : {1, 7, 8, 9, 33, 64}) {
    for (int count = 1; count <= 21; ++count) {
      const Block a(random, count, n);
      const int stride = count + 2;
      Doubles out(count * stride), expected(count * stride);
      k->gram_self(a.columns(), a.stride, out, stride);
      reference::gram_self(a.columns(), n, expected, stride);
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
          const double size = magnitude(a.columns()[i], a.columns()[j], n);
          ASSERT_NEAR(out[i * stride + j], expected[i * stride + j], kTolerance * n * size) << count << " of " << n;
          ASSERT_EQ(out[i * stride + j], out[j * stride + i]) << count << " of " << n;
        }
      }
      ASSERT_TRUE(out.guarded());
    }
  }
}

TEST_P(DoubleRowsOf, CombineEqualsItsTwinAndKeepsThePaddingZero) {
  for (const int n : {1, 7, 8, 9, 31, 32, 33, 64, 70, 100}) {
    for (const int from : {1, 2, 5, 8, 13}) {
      for (const int to : {1, 2, 3, 8}) {
        const Block x(random, from, n), m(random, to, from);
        Block y(random, to, n), expected(random, to, n);
        k->combine(m.values, m.stride, x.columns(), x.stride, y.columns());
        reference::combine(m.values, m.stride, x.columns(), n, expected.columns());
        for (int i = 0; i < to; ++i) {
          for (int c = 0; c < n; ++c) {
            ASSERT_NEAR(y.columns()[i][c], expected.columns()[i][c], kTolerance * from * from) << from << " to " << to;
          }
          for (int c = n; c < y.stride; ++c) ASSERT_EQ(y.columns()[i][c], 0.0);
        }
        ASSERT_TRUE(y.values.guarded());
      }
    }
  }
}

// λI + BᵀB of size n
Doubles positive(Random& random, const Kernels& k, int n, int stride, double lambda) {
  const Block b(random, n, n + 2);
  Doubles a(n * stride);
  k.gram_self(b.columns(), b.stride, a, stride);
  for (int i = 0; i < n; ++i) a[i * stride + i] += lambda;
  return a;
}

TEST_P(DoubleRowsOf, CholeskyEqualsItsTwinAndReadsTheUpperTriangleOnly) {
  for (int n = 1; n <= 40; ++n) {
    const int stride = double_stride(n) + 1;
    Doubles a = positive(random, *k, n, stride, 1.0);
    Doubles expected = a;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) a[i * stride + j] = std::numeric_limits<double>::quiet_NaN();
    }
    ASSERT_TRUE(k->cholesky(a, n, stride)) << n;
    ASSERT_TRUE(reference::cholesky(expected, n, stride)) << n;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (j < i) {
          ASSERT_TRUE(std::isnan(a[i * stride + j])) << "wrote below the diagonal, " << n;
        } else {
          ASSERT_NEAR(a[i * stride + j], expected[i * stride + j], 1e-13 * n) << n << " at " << i << ", " << j;
        }
      }
    }
    ASSERT_TRUE(a.guarded());
  }
}

TEST_P(DoubleRowsOf, CholeskyRefusesWhatIsNotPositiveDefinite) {
  for (const int n : {1, 2, 5, 9, 17}) {
    const int stride = double_stride(n);
    for (int bad = 0; bad < n; ++bad) {
      for (const double value : {0.0, -1.0, static_cast<double>(std::numeric_limits<double>::quiet_NaN()),
                                 std::numeric_limits<double>::infinity()}) {
        Doubles a = positive(random, *k, n, stride, 1.0);
        a[bad * stride + bad] = value;
        Doubles twin = a;
        EXPECT_FALSE(k->cholesky(a, n, stride)) << value << " at " << bad << " of " << n;
        EXPECT_FALSE(reference::cholesky(twin, n, stride)) << value << " at " << bad << " of " << n;
      }
    }
  }
}

}  // namespace
}  // namespace elastane
