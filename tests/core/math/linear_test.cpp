// Tests of elastane/core/math/linear-inl.h: products with packed matrices, of every instruction set, against their
// twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

// a random matrix, packed; `rows` is a multiple of kLane
struct Matrix {
  // the columns from `used` on are zero; an identity has no others
  Matrix(Random& random, int rows, int cols, Precision precision, int used, bool identity)
      : packed{.data = nullptr, .rows = rows, .cols = cols, .precision = precision}, bytes(packed.bytes()) {
    packed.data = bytes.data();
    for (int r = 0; r < rows; ++r) {
      std::vector<float> row(as_size(cols));
      for (int c = 0; c < used; ++c) row[as_size(c)] = static_cast<float>(random.uniform(-1, 1));
      for (int c = 0; identity && c < cols; ++c) row[as_size(c)] = r == c ? 1.0F : 0.0F;
      pack_row(packed, bytes.data(), r, row);
    }
  }
  Matrix(Random& random, int rows, int cols, Precision precision)
      : Matrix(random, rows, cols, precision, cols, false) {}

  // |start| + |W||x|
  double magnitude(int row, const float* start, const float* x) const {
    double sum = start == nullptr ? 0.0 : std::fabs(start[row]);
    for (int c = 0; c < packed.cols; ++c) sum += std::fabs(element(packed, row, c) * x[c]);
    return sum;
  }

  // how far a product may be off its twin: sums in another order, and for int8 inputs that are rounded
  double allowed(int row, const float* start, const float* x) const {
    if (packed.precision != Precision::int8) return kTolerance * magnitude(row, start, x);
    double most = 0, weights = 0;
    for (int c = 0; c < packed.cols; ++c) {
      most = std::max(most, std::fabs(static_cast<double>(x[c])));
      weights += std::fabs(element(packed, row, c));
    }
    return kTolerance * magnitude(row, start, x) + 0.5001 * most / 16383 * weights;
  }

  PackedMatrix packed;
  Buffer bytes;
};

TEST_P(KernelsOf, LinearEqualsItsTwinForEveryPanelWidthAndAnyColumns) {
  for (const Precision precision : {Precision::float32, Precision::bfloat16, Precision::int8}) {
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
            ASSERT_NEAR(y[i], expected[i], w.allowed(i, from, x)) << rows << " x " << cols << " at " << i;
          }
          ASSERT_TRUE(y.guarded()) << rows << " x " << cols;
        }
      }
    }
  }
}

TEST_P(KernelsOf, LinearGivesTheSameBitsHoweverManyRowsGoTogether) {
  constexpr int kMost = 9;
  for (const Precision precision : {Precision::float32, Precision::bfloat16, Precision::int8}) {
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

TEST_P(KernelsOf, LinearSkipsColumnsOfZerosAndAnIdentityWithoutChangingAValue) {
  for (const Precision precision : {Precision::float32, Precision::bfloat16, Precision::int8}) {
    for (const int rows : {16, 48, 64, 192}) {
      for (const int cols : {1, 3, 16, 31, 64}) {
        for (const bool identity : {false, true}) {
          if (identity && (cols > rows || precision == Precision::int8)) continue;  // int8 rounds what it multiplies
          const int used = identity ? cols : (cols + 1) / 2;
          Matrix w(random, rows, cols, precision, used, identity);
          Floats x(2 * padded(cols)), start(rows), all(2 * rows), skipped(2 * rows);
          x.fill(random, 2, cols, padded(cols));
          start.fill(random, 1);
          const ConstRows in = {x, 2, padded(cols)};
          k->linear(w.packed, start, in, {all, 2, rows});
          w.packed.zero_cols = cols - used;
          w.packed.identity = identity;
          k->linear(w.packed, start, in, {skipped, 2, rows});
          for (int i = 0; i < all.size(); ++i) {
            // rounded inputs depend on the largest, which may be one that is skipped
            const float* in_row = x + i / rows * padded(cols);
            const double off = precision == Precision::int8 ? 2 * w.allowed(i % rows, start, in_row) : 0;
            ASSERT_NEAR(all[i], skipped[i], off) << rows << " x " << cols << " at " << i;
          }
          ASSERT_TRUE(skipped.guarded());
        }
      }
    }
  }
}

TEST_P(KernelsOf, LinearInInt8AddsUpAnyNumberOfColumns) {
  for (const int cols : {1023, 1024, 1025, 2048, 3001}) {
    const Matrix w(random, 80, cols, Precision::int8);
    Floats x(3 * padded(cols)), start(80), y(3 * 80), expected(3 * 80);
    x.fill(random, 2, cols, padded(cols));
    start.fill(random, 1);
    const ConstRows in = {x, 3, padded(cols)};
    k->linear(w.packed, start, in, {y, 3, 80});
    reference::linear(w.packed, start, in, {expected, 3, 80});
    for (int i = 0; i < y.size(); ++i) {
      ASSERT_NEAR(y[i], expected[i], w.allowed(i % 80, start, x + i / 80 * padded(cols))) << cols << " at " << i;
    }
  }
}

TEST_P(KernelsOf, LinearInInt8PassesOnWhatIsNotFinite) {
  const Matrix w(random, 32, 20, Precision::int8);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Floats x(32), y(32);
    x.fill(random, 1, 20, 32);
    x[7] = bad;
    k->linear(w.packed, nullptr, {x, 1, 32}, {y, 1, 32});
    for (int i = 0; i < 32; ++i) ASSERT_TRUE(std::isnan(y[i])) << i;
  }
  Floats none(32), y(32);
  k->linear(w.packed, nullptr, {none, 1, 32}, {y, 1, 32});
  for (int i = 0; i < 32; ++i) ASSERT_EQ(y[i], 0.0F);
}

}  // namespace
}  // namespace elastane
