// y = start + W x over packed panels.   Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_LINEAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_LINEAR_INL_H_
#undef ELASTANE_LINEAR_INL_H_
#else
#define ELASTANE_LINEAR_INL_H_
#endif

#include <type_traits>

#include "elastane/core/math/int8-inl.h"
#include "elastane/core/math/lanes-inl.h"
#include "elastane/core/math/packed_matrix.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

// the weights of two neighbouring columns
struct Pair {
  V even, odd;
};
HWY_INLINE Pair load_pair(const float* w, int width) {
  const D d;
  return {hn::Load(d, w), hn::Load(d, w + width)};
}
HWY_INLINE Pair load_pair(const std::uint32_t* w, int /*width*/) {
  const D d;
  const hn::RebindToUnsigned<D> bits;
  const auto both = hn::Load(bits, w);
  return {hn::BitCast(d, hn::ShiftLeft<16>(both)), hn::BitCast(d, hn::And(both, hn::Set(bits, 0xFFFF0000U)))};
}
template <class W>
inline constexpr int kWordsPerPair = std::is_same_v<W, float> ? 2 : 1;  // a row's words, two columns

// One register tile: kVectors·kN rows of a panel times kRows rows of x. Column j goes to chain j mod kChains, so that
// enough independent additions are in flight; the number of chains depends on the panel's width alone, which keeps the
// order of additions, and so every bit of y, independent of kRows.
template <int kVectors, int kChains, int kRows, class W>
HWY_INLINE void tile(const W* HWY_RESTRICT w, int width, int cols, const float* start, const ConstRows& x, int row,
                     float* y, int y_stride) {
  const D d;
  V sum[kRows][kChains][kVectors];
  const float* HWY_RESTRICT in[kRows];
  for (int r = 0; r < kRows; ++r) {
    in[r] = x[row + r];
    for (int c = 0; c < kChains; ++c) {
      for (int v = 0; v < kVectors; ++v) {
        sum[r][c][v] = c == 0 && start != nullptr ? hn::Load(d, start + v * kN) : hn::Zero(d);
      }
    }
  }
  for (int j = 0; j < cols; j += kChains) {
    for (int c = 0; c < kChains; c += 2, w += kWordsPerPair<W> * width) {
      for (int v = 0; v < kVectors; ++v) {
        const Pair weight = load_pair(w + v * kN, width);
        for (int r = 0; r < kRows; ++r) {
          sum[r][c][v] = hn::MulAdd(weight.even, hn::Set(d, in[r][j + c]), sum[r][c][v]);
          sum[r][c + 1][v] = hn::MulAdd(weight.odd, hn::Set(d, in[r][j + c + 1]), sum[r][c + 1][v]);
        }
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      V total = hn::Add(sum[r][0][v], sum[r][1][v]);
      for (int c = 2; c < kChains; ++c) total = hn::Add(total, sum[r][c][v]);
      hn::Store(total, d, y + static_cast<std::ptrdiff_t>(r) * y_stride + v * kN);
    }
  }
}

// kRows rows of x, from `row` on, against one panel, in tiles of kVectors vectors
template <int kWidth, int kVectors, int kChains, int kRows, class W>
HWY_INLINE void across(const W* w, int cols, const float* start, const ConstRows& x, int row, const Rows& y) {
  for (int v = 0; v < kWidth; v += kVectors * kN) {
    tile<kVectors, kChains, kRows>(w + v, kWidth, cols, start != nullptr ? start + v : nullptr, x, row, y[row] + v,
                                   y.stride);
  }
}

// the largest divisor of n that is not above `most`
constexpr int divisor(int n, int most) {
  int best = 1;
  for (int k = 1; k <= n && k <= most; ++k) best = n % k == 0 ? k : best;
  return best;
}

// all rows of x against one panel of kWidth rows
template <int kWidth, class W>
HWY_INLINE void panel(const W* w, int cols, const float* start, const ConstRows& x, const Rows& y) {
  constexpr int kChains = kWidth == 16 ? 4 : 2;
  constexpr int kWide = HWY_TARGET == HWY_AVX3 ? 4 : 2;       // rows in the widest tile: 32 registers, or 16
  constexpr int kSingle = divisor(kWidth / kN, 8 / kChains);  // vectors of a tile for one row: up to 8 sums
  constexpr int kShared = divisor(kWidth / kN, 4 / kChains);  // for several rows: up to 4 sums each
  int row = 0;
  for (; row + kWide <= x.count; row += kWide) across<kWidth, kShared, kChains, kWide>(w, cols, start, x, row, y);
  for (; row < x.count; ++row) across<kWidth, kSingle, kChains, 1>(w, cols, start, x, row, y);
}

template <class W>
HWY_INLINE void linear_as(const PackedMatrix& m, const float* start, const ConstRows& x, const Rows& y) {
  const W* w = reinterpret_cast<const W*>(m.data);
  const int cols = m.read_cols();
  for (int first = 0; first < m.rows; first += kPanel) {
    const float* s = start != nullptr ? start + first : nullptr;
    const Rows out = {y.data + first, y.count, y.stride};
    switch (HWY_MIN(m.rows - first, kPanel)) {
      case 64: panel<64>(w, cols, s, x, out); break;
      case 48: panel<48>(w, cols, s, x, out); break;
      case 32: panel<32>(w, cols, s, x, out); break;
      case 16: panel<16>(w, cols, s, x, out); break;
      default: break;
    }
    w += static_cast<std::size_t>(kPanel) * m.stored_cols() / 2 * kWordsPerPair<W>;
  }
}

// y = start + x, as the product with ones and zeros has it
HWY_INLINE void pass_through(const PackedMatrix& m, const float* start, const ConstRows& x, const Rows& y) {
  const D d;
  const int shared = HWY_MIN(padded(m.cols), m.rows);
  for (int r = 0; r < x.count; ++r) {
    const float* from = x[r];
    float* to = y[r];
    for (int i = 0; i < m.rows; i += kN) {
      const V first = start != nullptr ? hn::Load(d, start + i) : hn::Zero(d);
      hn::Store(i < shared ? hn::Add(first, hn::Load(d, from + i)) : first, d, to + i);
    }
  }
}

void linear(const PackedMatrix& m, const float* start, ConstRows x, Rows y) {
  if (m.identity) return pass_through(m, start, x, y);
  switch (m.precision) {
    case Precision::float32: return linear_as<float>(m, start, x, y);
    case Precision::bfloat16: return linear_as<std::uint32_t>(m, start, x, y);
    case Precision::int8: return linear_int8(m, start, x, y);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
