// Products of rows and small factorisations, in double.   Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_DOUBLE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_DOUBLE_ROWS_INL_H_
#undef ELASTANE_DOUBLE_ROWS_INL_H_
#else
#define ELASTANE_DOUBLE_ROWS_INL_H_
#endif

#include <cmath>

#include "elastane/core/base/view.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DD = hn::CappedTag<double, 8>;
using VD = hn::Vec<DD>;
inline constexpr int kND = static_cast<int>(hn::MaxLanes(DD()));

// a_0·b_j … for kRows rows of a and kCols of b at once: every load is used several times
template <int kRows, int kCols>
HWY_INLINE void gram_tile(const ConstDoubleRows& a, int i, const ConstDoubleRows& b, int j, int n, double* out,
                          int stride) {
  const DD d;
  VD sum[kRows][kCols];
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kCols; ++c) sum[r][c] = hn::Zero(d);
  }
  for (int k = 0; k < n; k += kND) {
    VD right[kCols];
    for (int c = 0; c < kCols; ++c) right[c] = hn::LoadU(d, b[j + c] + k);
    for (int r = 0; r < kRows; ++r) {
      const VD left = hn::LoadU(d, a[i + r] + k);
      for (int c = 0; c < kCols; ++c) sum[r][c] = hn::MulAdd(left, right[c], sum[r][c]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kCols; ++c) {
      out[static_cast<std::ptrdiff_t>(i + r) * stride + j + c] = hn::GetLane(hn::SumOfLanes(d, sum[r][c]));
    }
  }
}

void gram(ConstDoubleRows a, ConstDoubleRows b, int n, double* out, int stride) {
  for (int i = 0; i < a.count; i += 4) {
    for (int j = 0; j < b.count; j += 4) {
      if (i + 4 <= a.count && j + 4 <= b.count) {
        gram_tile<4, 4>(a, i, b, j, n, out, stride);
        continue;
      }
      for (int c = j; c < b.count && c < j + 4; ++c) {
        if (i + 4 <= a.count) {
          gram_tile<4, 1>(a, i, b, c, n, out, stride);
          continue;
        }
        for (int r = i; r < a.count; ++r) gram_tile<1, 1>(a, r, b, c, n, out, stride);
      }
    }
  }
}

void gram_self(ConstDoubleRows a, int n, double* out, int stride) {
  for (int i = 0; i < a.count; i += 4) {
    for (int j = 0; j <= i; j += 4) {
      if (i + 4 <= a.count) {
        gram_tile<4, 4>(a, i, a, j, n, out, stride);
        continue;
      }
      for (int r = i; r < a.count; ++r) {
        for (int c = j; c < j + 4 && c < a.count; ++c) gram_tile<1, 1>(a, r, a, c, n, out, stride);
      }
    }
  }
  for (int i = 0; i < a.count; ++i) {
    for (int j = i + 1; j < a.count; ++j) out[i * stride + j] = out[static_cast<std::ptrdiff_t>(j) * stride + i];
  }
}

// four vectors of y_i at a time stay in registers while all x_j pass by
template <int kVectors>
HWY_INLINE void combine_tile(const double* m, ConstDoubleRows x, int k, double* y) {
  const DD d;
  VD sum[kVectors];
  for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
  for (int j = 0; j < x.count; ++j) {
    const VD factor = hn::Set(d, m[j]);
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::MulAdd(factor, hn::LoadU(d, x[j] + k + v * kND), sum[v]);
  }
  for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, y + k + v * kND);
}

void combine(const double* m, int stride, ConstDoubleRows x, int n, DoubleRows y) {
  for (int i = 0; i < y.count; ++i) {
    const double* row = m + static_cast<std::ptrdiff_t>(i) * stride;
    int k = 0;
    for (; k + 4 * kND <= n; k += 4 * kND) combine_tile<4>(row, x, k, y[i]);
    for (; k < n; k += kND) combine_tile<1>(row, x, k, y[i]);
  }
}

void add_scaled(double f, const double* x, int n, double* y) {
  const DD d;
  const VD factor = hn::Set(d, f);
  for (int k = 0; k < n; k += kND) hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, x + k), hn::LoadU(d, y + k)), d, y + k);
}

void shrink(const double* u, double c, double grow, DoubleRows p) {
  const DD d;
  const VD by = hn::Set(d, c), factor = hn::Set(d, grow);
  for (int i = 0; i < p.count; ++i) {
    const VD here = hn::Set(d, u[i]);
    double* row = p[i];
    for (int k = 0; k < p.stride; k += kND) {
      const VD product = hn::Mul(here, hn::LoadU(d, u + k));  // first, so that p stays symmetric to the last bit
      hn::StoreU(hn::Mul(hn::NegMulAdd(product, by, hn::LoadU(d, row + k)), factor), d, row + k);
    }
  }
}

// row_i ← row_i − f·row_k from column `first` on
HWY_INLINE void eliminate(double f, const double* row_k, int first, int n, double* row_i) {
  const DD d;
  const VD factor = hn::Set(d, f);
  int j = first;
  for (; j + kND <= n; j += kND) {
    hn::StoreU(hn::NegMulAdd(factor, hn::LoadU(d, row_k + j), hn::LoadU(d, row_i + j)), d, row_i + j);
  }
  if (HWY_TARGET == HWY_AVX3 && j < n) {
    const auto rest = hn::FirstN(d, static_cast<std::size_t>(n - j));
    const VD left = hn::NegMulAdd(factor, hn::MaskedLoad(rest, d, row_k + j), hn::MaskedLoad(rest, d, row_i + j));
    return hn::BlendedStore(left, rest, d, row_i + j);
  }
  for (; j < n; ++j) row_i[j] -= f * row_k[j];
}

// a row is divided by its pivot's root after its last use: the next pivot need not wait for a root
bool cholesky(double* a, int n, int stride) {
  for (int k = 0; k < n; ++k) {
    double* row_k = a + static_cast<std::ptrdiff_t>(k) * stride;
    if (!(row_k[k] > 1e-300) || !(row_k[k] < 1e300)) return false;
    const double inverse = 1.0 / row_k[k];
    for (int i = k + 1; i < n; ++i) {
      eliminate(row_k[i] * inverse, row_k, i, n, a + static_cast<std::ptrdiff_t>(i) * stride);
    }
    const double root = std::sqrt(row_k[k]), scale = 1.0 / root;
    row_k[k] = root;
    for (int j = k + 1; j < n; ++j) row_k[j] *= scale;
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();

#endif  // include guard
