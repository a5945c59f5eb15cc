// The operation y = b + Wx, with all rows of tangents or adjoints in one pass over the weights.
#pragma once

#include <algorithm>
#include <type_traits>

#include "elastane/core/math/tape.h"

namespace elastane {

struct Linear {
  PackedMatrix w, transposed;   // the transpose only where adjoints are needed
  const float* bias;            // may be null
  const float* rows = nullptr;  // W as rows of x.lanes(), if this is the output of a program with adjoints
  Source x;
  Register y;

  void sources(auto visit) { visit(x); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return std::int64_t{w.rows} * w.cols; }

  template <class T>
  void value(const Pass<T>& p) const {
    product(p, w, bias, {p[x], 1, 0}, {p[y], 1, 0});
  }

  // x̄ where ȳ is a unit vector: row `first` of W, and those after it
  template <class T>
  void pick(int first, BasicRows<T> a) const {
    for (int r = 0; r < a.count; ++r) {
      const float* row = rows + static_cast<std::ptrdiff_t>(first + r) * x.lanes();
      std::copy_n(row, x.lanes(), a[r] + x.offset);
    }
  }

  // the same on every tape
  template <class T>
  void value_rows(const Pass<T>& p, BasicRows<T> tapes) const {
    product(p, w, bias, at(tapes, x), at(tapes, y));
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    product(p, w, nullptr, at(d, x), at(d, y));  // dy = W dx
  }

  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> a) const {
    if (!x.add) return product(p, transposed, nullptr, at(a, y), at(a, x));  // x̄ = Wᵀȳ
    const BasicRows<T> own{p.scratch, a.count, p.scratch_stride};
    product(p, transposed, nullptr, at(a, y), own);
    for (int r = 0; r < a.count; ++r) {
      put(a[r] + x.offset, x.lanes(), true, [from = own[r]](int i) { return from[i]; });
    }
  }

 private:
  template <class T>
  static void product(const Pass<T>& p, const PackedMatrix& m, const float* start, BasicRows<T> x, BasicRows<T> y) {
    if constexpr (std::is_same_v<T, float>) {
      p.k.linear(m, start, x, y);
    } else {
      for (int r = 0; r < x.count; ++r) {
        for (int i = 0; i < m.rows; ++i) {
          T sum = start != nullptr ? start[i] : 0;
          for (int j = 0; j < m.cols; ++j) sum += element(m, i, j) * x[r][j];
          y[r][i] = sum;
        }
      }
    }
  }
};

}  // namespace elastane
