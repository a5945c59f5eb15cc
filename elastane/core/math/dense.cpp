// Real-time code only.
#include "elastane/core/math/dense.h"

#include <cmath>
#include <cstddef>

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
    for (int j = n - 1; j > k; --j)
      sum -= r_k[j] * x[j];  // the x that is known last comes last, so that nothing waits for it
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

}  // namespace elastane
