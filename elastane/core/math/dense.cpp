#include "elastane/core/math/dense.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace elastane {
namespace {

const double* row(const double* a, int i, int stride) { return a + static_cast<std::ptrdiff_t>(i) * stride; }
double* row(double* a, int i, int stride) { return a + static_cast<std::ptrdiff_t>(i) * stride; }

}  // namespace

void solve_transposed(const double* r, int n, int stride, double* x) {
  for (int k = 0; k < n; ++k) {
    const double* r_k = row(r, k, stride);
    x[k] /= r_k[k];
    for (int j = k + 1; j < n; ++j) x[j] -= x[k] * r_k[j];
  }
}

void solve_upper(const double* r, int n, int stride, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    const double* r_k = row(r, k, stride);
    double sum = x[k];
    for (int j = k + 1; j < n; ++j) sum -= r_k[j] * x[j];
    x[k] = sum / r_k[k];
  }
}

bool eliminate(double* a, int n, int stride, int* pivots) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::fabs(row(a, i, stride)[k]) > std::fabs(row(a, best, stride)[k])) best = i;
    }
    pivots[k] = best;
    double *r_k = row(a, k, stride), *r_best = row(a, best, stride);
    if (!(std::fabs(r_best[k]) > 0.0) || !(std::fabs(r_best[k]) < 1e300)) return false;
    for (int j = 0; best != k && j < n; ++j) {
      const double kept = r_k[j];
      r_k[j] = r_best[j];
      r_best[j] = kept;
    }
    for (int i = k + 1; i < n; ++i) {
      double* r_i = row(a, i, stride);
      r_i[k] /= r_k[k];
      for (int j = k + 1; j < n; ++j) r_i[j] -= r_i[k] * r_k[j];
    }
  }
  return true;
}

void solve_eliminated(const double* a, int n, int stride, const int* pivots, double* x) {
  for (int k = 0; k < n; ++k) {  // rows were exchanged whole, multipliers included
    const double kept = x[k];
    x[k] = x[pivots[k]];
    x[pivots[k]] = kept;
  }
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) x[k] -= row(a, k, stride)[j] * x[j];
  }
  solve_upper(a, n, stride, x);
}

namespace {

constexpr double kVanishing = 1e-140;  // zero beside a largest element of 1; its square is still a number

// Householder's reduction: A = ZᵀTZ with T tridiagonal. `a` is overwritten, the rows of z are an orthogonal basis
void tridiagonalise(double* a, int n, int stride, double* diagonal, double* beside, double* z, int z_stride) {
  double v[kMaxEigen], w[kMaxEigen];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) row(z, i, z_stride)[j] = i == j ? 1.0 : 0.0;
  }
  for (int k = 0; k + 2 < n; ++k) {
    double rest = 0;  // on its own: taken from the whole, a small element would vanish beside a large one
    for (int i = k + 1; i < n; ++i) {
      v[i] = row(a, k, stride)[i];
      if (i > k + 1) rest += v[i] * v[i];
    }
    const double length = std::sqrt(v[k + 1] * v[k + 1] + rest), reflected = v[k + 1] > 0 ? -length : length;
    const bool tridiagonal = !(rest > kVanishing * kVanishing);
    beside[k] = tridiagonal ? v[k + 1] : reflected;
    if (tridiagonal) continue;
    v[k + 1] -= reflected;
    const double beta = 2 / (rest + v[k + 1] * v[k + 1]);
    // A ← HAH with H = I − βvvᵀ:  A − vwᵀ − wvᵀ
    double along = 0;
    for (int i = k + 1; i < n; ++i) {
      double sum = 0;
      for (int j = k + 1; j < n; ++j) sum += row(a, i, stride)[j] * v[j];
      w[i] = beta * sum;
      along += w[i] * v[i];
    }
    for (int i = k + 1; i < n; ++i) w[i] -= 0.5 * beta * along * v[i];
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j < n; ++j) row(a, i, stride)[j] -= v[i] * w[j] + w[i] * v[j];
    }
    // Z ← HZ
    for (int j = 0; j < n; ++j) w[j] = 0;
    for (int i = k + 1; i < n; ++i) {
      for (int j = 0; j < n; ++j) w[j] += beta * v[i] * row(z, i, z_stride)[j];
    }
    for (int i = k + 1; i < n; ++i) {
      for (int j = 0; j < n; ++j) row(z, i, z_stride)[j] -= v[i] * w[j];
    }
  }
  for (int i = 0; i < n; ++i) diagonal[i] = row(a, i, stride)[i];
  if (n > 1) beside[n - 2] = row(a, n - 2, stride)[n - 1];
  beside[n - 1] = 0;
}

// one implicit QL sweep with Wilkinson's shift over rows first … last
void sweep(double* diagonal, double* beside, int first, int last, int n, double* z, int z_stride) {
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
    double *low = row(z, i, z_stride), *high = row(z, i + 1, z_stride);
    for (int j = 0; j < n; ++j) {
      const double p = low[j], q = high[j];
      high[j] = sine * p + cosine * q;
      low[j] = cosine * p - sine * q;
    }
  }
  diagonal[first] -= shift;
  beside[first] = g;
  beside[last] = 0;
}

}  // namespace

bool eigen_symmetric(double* a, int n, int stride, double* values, double* v, int v_stride) {
  if (n < 1 || n > kMaxEigen) return false;
  // in units of its largest element, so that squares neither vanish nor overflow
  double unit = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (!std::isfinite(row(a, i, stride)[j])) return false;
      unit = std::fmax(unit, std::fabs(row(a, i, stride)[j]));
    }
  }
  for (int i = 0; i < n && unit > 0; ++i) {
    for (int j = 0; j < n; ++j) row(a, i, stride)[j] /= unit;
  }
  double beside[kMaxEigen];
  tridiagonalise(a, n, stride, values, beside, v, v_stride);
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
      sweep(values, beside, first, last, n, v, v_stride);
    }
  }
  // largest first
  for (int i = 0; i < n; ++i) {
    int best = i;
    for (int j = i + 1; j < n; ++j) best = values[j] > values[best] ? j : best;
    if (best == i) continue;
    std::swap(values[i], values[best]);
    for (int j = 0; j < n; ++j) std::swap(row(v, i, v_stride)[j], row(v, best, v_stride)[j]);
  }
  for (int i = 0; i < n; ++i) values[i] *= unit;
  return true;
}

}  // namespace elastane
