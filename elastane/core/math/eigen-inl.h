// Eigenvalues of small symmetric matrices, in double.   Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_EIGEN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_EIGEN_INL_H_
#undef ELASTANE_EIGEN_INL_H_
#else
#define ELASTANE_EIGEN_INL_H_
#endif

#include <cmath>
#include <limits>
#include <utility>

#include "elastane/core/math/double_rows-inl.h"
#include "elastane/core/math/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

inline constexpr double kVanishing = 1e-140;  // negligible beside a largest element of 1; its square does not underflow

// rows of a square matrix
struct Square {
  double* data;
  int n, stride;
  double* operator[](int i) const { return data + static_cast<std::ptrdiff_t>(i) * stride; }
};

// the largest magnitude, or NaN if an element is not finite
HWY_INLINE double magnitude(const Square& a) {
  double largest = 0, doubt = 0;  // x − x is zero for every finite number
  for (int i = 0; i < a.n; ++i) {
    for (int j = 0; j < a.n; ++j) {
      const double size = std::fabs(a[i][j]);
      largest = size > largest ? size : largest;
      doubt += size - size;
    }
  }
  return largest + doubt;
}

// low ← c·low − s·high, high ← s·low + c·high
HWY_INLINE void rotate(double cosine, double sine, int n, double* low, double* high) {
  const DD d;
  const VD c = hn::Set(d, cosine), s = hn::Set(d, sine);
  int j = 0;
  for (; j + kND <= n; j += kND) {
    const VD p = hn::LoadU(d, low + j), q = hn::LoadU(d, high + j);
    hn::StoreU(hn::MulAdd(s, p, hn::Mul(c, q)), d, high + j);
    hn::StoreU(hn::NegMulAdd(s, q, hn::Mul(c, p)), d, low + j);
  }
  for (; j < n; ++j) {
    const double p = low[j], q = high[j];
    high[j] = sine * p + cosine * q;
    low[j] = cosine * p - sine * q;
  }
}

// Householder's reduction: A = ZᵀTZ with T tridiagonal. `a` is overwritten, the rows of z are an orthogonal basis.
// Whole rows are processed: v and w are zero outside their range
HWY_INLINE void tridiagonalise(const Square& a, double* diagonal, double* beside, const Square& z) {
  const int n = a.n;
  double v[kMaxEigen] = {}, w[kMaxEigen] = {};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) z[i][j] = i == j ? 1.0 : 0.0;
  }
  for (int k = 0; k + 2 < n; ++k) {
    double rest = 0;  // summed by itself: subtracted from the whole, a small element would vanish beside a large one
    v[k] = 0;
    for (int i = k + 1; i < n; ++i) {
      v[i] = a[k][i];
      if (i > k + 1) rest += v[i] * v[i];
    }
    const double length = std::sqrt(v[k + 1] * v[k + 1] + rest), reflected = v[k + 1] > 0 ? -length : length;
    const bool tridiagonal = !(rest > kVanishing * kVanishing);
    beside[k] = tridiagonal ? v[k + 1] : reflected;
    if (tridiagonal) continue;
    v[k + 1] -= reflected;
    const double beta = 2 / (rest + v[k + 1] * v[k + 1]);

    // A ← HAH with H = I − βvvᵀ:  A − vwᵀ − wvᵀ,  w = βAv − ½β(vᵀβAv)v
    for (int j = 0; j < n; ++j) w[j] = 0;
    for (int i = k + 1; i < n; ++i) eliminate(-beta * v[i], a[i], 0, n, w);
    double along = 0;
    for (int j = 0; j <= k; ++j) w[j] = 0;
    for (int j = k + 1; j < n; ++j) along += w[j] * v[j];
    eliminate(0.5 * beta * along, v, 0, n, w);
    for (int i = k + 1; i < n; ++i) {
      eliminate(v[i], w, 0, n, a[i]);
      eliminate(w[i], v, 0, n, a[i]);
    }
    // Z ← HZ
    for (int j = 0; j < n; ++j) w[j] = 0;
    for (int i = k + 1; i < n; ++i) eliminate(-beta * v[i], z[i], 0, n, w);
    for (int i = k + 1; i < n; ++i) eliminate(v[i], w, 0, n, z[i]);
  }
  for (int i = 0; i < n; ++i) diagonal[i] = a[i][i];
  if (n > 1) beside[n - 2] = a[n - 2][n - 1];
  beside[n - 1] = 0;
}

// one implicit QL sweep with Wilkinson's shift over rows first … last
HWY_INLINE void sweep(double* diagonal, double* beside, int first, int last, const Square& z) {
  double g = (diagonal[first + 1] - diagonal[first]) / (2 * beside[first]);
  const double r = std::sqrt(g * g + 1);
  g = diagonal[last] - diagonal[first] + beside[first] / (g + (g < 0 ? -r : r));
  double sine = 1, cosine = 1, shift = 0;
  for (int i = last - 1; i >= first; --i) {
    const double f = sine * beside[i], b = cosine * beside[i];
    const double length = std::sqrt(f * f + g * g);
    beside[i + 1] = length;
    if (length == 0) {  // the matrix has fallen into two parts
      diagonal[i + 1] -= shift;
      beside[last] = 0;
      return;
    }
    sine = f / length;
    cosine = g / length;
    g = diagonal[i + 1] - shift;
    const double turned = (diagonal[i] - g) * sine + 2 * cosine * b;
    shift = sine * turned;
    diagonal[i + 1] = g + shift;
    g = cosine * turned - b;
    rotate(cosine, sine, z.n, z[i], z[i + 1]);
  }
  diagonal[first] -= shift;
  beside[first] = g;
  beside[last] = 0;
}

bool eigen_symmetric(double* elements, int n, int stride, double* values, double* vectors, int vector_stride) {
  if (n < 1 || n > kMaxEigen) return false;
  const Square a{elements, n, stride}, z{vectors, n, vector_stride};
  // in units of its largest element, so that squares neither vanish nor overflow
  const double unit = magnitude(a);
  if (!(unit <= std::numeric_limits<double>::max())) return false;
  for (int i = 0; i < n && unit > 0; ++i) {
    for (int j = 0; j < n; ++j) a[i][j] /= unit;
  }
  double beside[kMaxEigen];
  tridiagonalise(a, values, beside, z);
  for (int first = 0; first < n; ++first) {
    for (int round = 0;; ++round) {
      int last = first;
      while (last + 1 < n) {
        const double size = std::fabs(values[last]) + std::fabs(values[last + 1]);
        if (!(std::fabs(beside[last]) > std::numeric_limits<double>::epsilon() * size + kVanishing)) break;
        ++last;
      }
      if (last == first) break;
      if (round == 50) return false;
      sweep(values, beside, first, last, z);
    }
  }
  // largest first
  for (int i = 0; i < n; ++i) {
    int best = i;
    for (int j = i + 1; j < n; ++j) best = values[j] > values[best] ? j : best;
    if (best == i) continue;
    std::swap(values[i], values[best]);
    for (int j = 0; j < n; ++j) std::swap(z[i][j], z[best][j]);
  }
  for (int i = 0; i < n; ++i) values[i] *= unit;
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();

#endif  // include guard
