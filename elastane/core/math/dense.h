// Small dense systems in double: triangular solves, elimination with pivots.
//
// Matrices are row-major with a stride. Nothing here allocates; sizes are those of outputs or of a sketch's rank.
#pragma once

namespace elastane {

// with A = RᵀR from Kernels::cholesky: x ← A⁻¹x, and its two halves
void solve_transposed(const double* r, int n, int stride, double* x);  // x ← R⁻ᵀx
void solve_upper(const double* r, int n, int stride, double* x);       // x ← R⁻¹x
inline void solve_cholesky(const double* r, int n, int stride, double* x) {
  solve_transposed(r, n, stride, x);
  solve_upper(r, n, stride, x);
}

// A = PLU in place with partial pivoting; false if singular or not finite
bool eliminate(double* a, int n, int stride, int* pivots);
// x ← A⁻¹x after eliminate
void solve_eliminated(const double* a, int n, int stride, const int* pivots, double* x);

}  // namespace elastane
