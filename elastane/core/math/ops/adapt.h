// The operation y = Σ_j p_j (c_jᵀ f): a low-rank change of a read-out, bilinear in its coordinates and its features.
#pragma once

#include "elastane/core/math/tape.h"

namespace elastane {

struct Adapt {
  int rank;
  const float* directions;  // p [rank][outputs padded]
  Source c, f;              // c [rank][features padded]
  Register y;

  void sources(auto visit) { visit(c), visit(f); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return std::int64_t{rank} * (f.n + y.n); }

  template <class T>
  void value(const Pass<T>& p) const {
    spread(p[y], false, [&](int j) { return dot<T>(p[c] + j * f.lanes(), p[f], f.lanes()); });
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) {
      spread(d[r] + y.offset, false, [&, dc = d[r] + c.offset, df = d[r] + f.offset](int j) {
        const int at = j * f.lanes();
        return (c.active ? dot<T>(dc + at, p[f], f.lanes()) : T{0}) +
               (f.active ? dot<T>(p[c] + at, df, f.lanes()) : T{0});
      });
    }
  }

  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> a) const {
    for (int r = 0; r < a.count; ++r) {
      for (int j = 0; j < rank; ++j) {
        const int at = j * f.lanes();
        const T along = dot<T>(directions + j * y.lanes(), a[r] + y.offset, y.lanes());  // p_j·ȳ
        const T *features = p[f], *row = p[c] + at;
        if (c.active) put(a[r] + c.offset + at, f.lanes(), c.add, [=](int i) { return along * features[i]; });
        if (f.active) put(a[r] + f.offset, f.lanes(), f.add || j > 0, [=](int i) { return along * row[i]; });
      }
    }
  }

  template <class T>
  void bend(const Pass<T>&, const T* d, T* dd) const {
    if (!c.active || !f.active) return;
    spread(dd + y.offset, true,
           [&](int j) { return 2 * dot<T>(d + c.offset + j * f.lanes(), d + f.offset, f.lanes()); });
  }

 private:
  // to ← Σ_j p_j·factor(j)
  template <class T, class F>
  void spread(T* to, bool add, F factor) const {
    for (int j = 0; j < rank; ++j) {
      put(to, y.lanes(), add || j > 0, [a = factor(j), p = directions + j * y.lanes()](int i) { return a * p[i]; });
    }
  }
};

}  // namespace elastane
