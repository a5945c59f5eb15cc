// Tests of elastane/core/math/linear-inl.h: products with packed matrices, of every instruction set, against their
// twin.
#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

// a random matrix, packed; `rows` is a multiple of kLane
struct Matrix {
  Matrix(Random& random, int rows, int cols, Precision precision)
      : packed{.data = nullptr, .rows = rows, .cols = cols, .precision = precision}, bytes(packed.bytes()) {
    packed.data = bytes.data();
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < cols; ++c) set(r, c, static_cast<float>(random.uniform(-1, 1)));
    }
  }

  void set(int r, int c, float value) {
    const std::size_t i = packed.at(r, c);
    if (packed.precision == Precision::float32) {
      reinterpret_cast<float*>(bytes.data())[i] = value;
    } else {
      reinterpret_cast<std::uint16_t*>(bytes.data())[i] = to_bfloat16(value);
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

TEST_P(KernelsOf, LinearSkipsColumnsOfZerosAndAnIdentityWithoutChangingAValue) {
  for (const Precision precision : {Precision::float32, Precision::bfloat16}) {
    for (const int rows : {16, 48, 64, 192}) {
      for (const int cols : {1, 3, 16, 31, 64}) {
        for (const bool identity : {false, true}) {
          Matrix w(random, rows, cols, precision);
          const int used = identity ? cols : (cols + 1) / 2;
          for (int r = 0; r < rows; ++r) {
            for (int c = identity ? 0 : used; c < cols; ++c) w.set(r, c, identity && r == c ? 1.0F : 0.0F);
          }
          if (identity && cols > rows) continue;
          Floats x(2 * padded(cols)), start(rows), all(2 * rows), skipped(2 * rows);
          x.fill(random, 2, cols, padded(cols));
          start.fill(random, 1);
          const ConstRows in = {x, 2, padded(cols)};
          k->linear(w.packed, start, in, {all, 2, rows});
          w.packed.zero_cols = cols - used;
          w.packed.identity = identity;
          k->linear(w.packed, start, in, {skipped, 2, rows});
          for (int i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], skipped[i]) << rows << " x " << cols << " at " << i;
          ASSERT_TRUE(skipped.guarded());
        }
      }
    }
  }
}

}  // namespace
}  // namespace elastane
