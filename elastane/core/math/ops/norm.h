// The operation y = w ⊙ x̂ + b, with x̂ = cr: c = x or x − mean x, and r = 1/√(mean c² + ε).
#pragma once

#include <cmath>

#include "elastane/core/math/tape.h"

namespace elastane {

struct Normalise {
  Norm kind;
  const float *weight, *bias;  // no bias for rms
  Source x;
  Register y, unit, inverse;  // y, x̂, r

  void sources(auto visit) { visit(x); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return 3 * std::int64_t{x.n}; }

  template <class T>
  void value(const Pass<T>& p) const {
    const T* from = p[x];
    T* c = p[unit];
    const T mean = centre(from);
    for (int i = 0; i < x.lanes(); ++i) c[i] = i < x.n ? from[i] - mean : T{0};
    const T r = 1 / std::sqrt(dot<T>(c, c, x.lanes()) / x.n + kNormEpsilon);
    *p[inverse] = r;
    for (int i = 0; i < x.lanes(); ++i) c[i] *= r;
    if (bias == nullptr) return put(p[y], x.lanes(), false, [c, w = weight](int i) { return c[i] * w[i]; });
    put(p[y], x.lanes(), false, [c, w = weight, b = bias](int i) { return c[i] * w[i] + b[i]; });
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    const T *hat = p[unit], r = *p[inverse];
    for (int k = 0; k < d.count; ++k) {
      const T *dx = d[k] + x.offset, mean = centre(dx), along = dot<T>(hat, dx, x.lanes()) / x.n;
      put(d[k] + y.offset, x.lanes(), false, [=, w = weight](int i) {
        return w[i] * r * (dx[i] - mean - hat[i] * along);  // w ⊙ r(dc − x̂(x̂·dc)/n); x̂ has no mean where c has none
      });
    }
  }

  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> a) const {
    const T *hat = p[unit], r = *p[inverse];
    for (int k = 0; k < a.count; ++k) {
      const T* ay = a[k] + y.offset;
      T* g = p.scratch;
      for (int i = 0; i < x.lanes(); ++i) g[i] = weight[i] * ay[i];
      const T mean = centre(g), along = dot<T>(hat, g, x.lanes()) / x.n;
      put(a[k] + x.offset, x.lanes(), x.add,
          [=, n = x.n](int i) { return i < n ? r * (g[i] - mean - hat[i] * along) : T{0}; });
    }
  }

  // with a = mean x̂ ⊙ dc and q = mean dc²:   w ⊙ r²((3a² − q)x̂ − 2a dc)
  template <class T>
  void bend(const Pass<T>& p, const T* d, T* dd) const {
    const T *hat = p[unit], r = *p[inverse], *dx = d + x.offset, mean = centre(dx);
    const T a = dot<T>(hat, dx, x.lanes()) / x.n, q = dot<T>(dx, dx, x.lanes()) / x.n - mean * mean;
    put(dd + y.offset, x.lanes(), true,
        [=, w = weight](int i) { return w[i] * r * r * ((3 * a * a - q) * hat[i] - 2 * a * (dx[i] - mean)); });
  }

 private:
  // what is subtracted from every element; padding holds zeros
  template <class T>
  T centre(const T* from) const {
    if (kind == Norm::rms) return 0;
    T sum = 0;
    for (int i = 0; i < x.lanes(); ++i) sum += from[i];
    return sum / x.n;
  }
};

}  // namespace elastane
