// Operations on every element by itself: activations, products, sums, and multiples by a scalar.
#pragma once

#include <type_traits>

#include "elastane/core/math/reference.h"
#include "elastane/core/math/tape.h"

namespace elastane {

// y = φ(x)
struct Activate {
  Curve kind;
  Source x;
  Register y, slope, curvature;  // φ, φ′, φ″

  void sources(auto visit) { visit(x); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return x.n; }

  template <class T>
  void value(const Pass<T>& p) const {
    if constexpr (std::is_same_v<T, float>) {
      p.k.activation_jet(kind, p[x], x.lanes(), p[y], p.derivatives ? p[slope] : nullptr,
                         p.derivatives ? p[curvature] : nullptr);
    } else {
      for (int i = 0; i < x.lanes(); ++i) {
        const reference::Jet jet = reference::jet(kind, p[x][i]);
        p[y][i] = jet.value;
        p[slope][i] = jet.slope;
        p[curvature][i] = jet.curvature;
      }
    }
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    slope_rows(p, at(d, x), false, at(d, y));  // dy = φ′ ⊙ dx
  }

  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> a) const {
    slope_rows(p, at(a, y), x.add, at(a, x));  // x̄ = φ′ ⊙ ȳ
  }

  template <class T>
  void bend(const Pass<T>& p, const T* d, T* dd) const {
    const T *f = p[curvature], *dx = d + x.offset;
    put(dd + y.offset, x.lanes(), true, [=](int i) { return f[i] * dx[i] * dx[i]; });  // φ″ ⊙ dx²
  }

 private:
  template <class T>
  void slope_rows(const Pass<T>& p, BasicRows<T> from, bool add, BasicRows<T> to) const {
    if constexpr (std::is_same_v<T, float>) {
      if (!add) return p.k.scale_rows(p[slope], from, x.lanes(), to);
    }
    for (int r = 0; r < from.count; ++r) {
      put(to[r], x.lanes(), add, [f = p[slope], row = from[r]](int i) { return f[i] * row[i]; });
    }
  }
};

// y = a ⊙ b
struct Multiply {
  Source a, b;
  Register y;

  void sources(auto visit) { visit(a), visit(b); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return y.n; }

  template <class T>
  void value(const Pass<T>& p) const {
    const T *u = p[a], *v = p[b];
    put(p[y], y.lanes(), false, [=](int i) { return u[i] * v[i]; });
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) {
      T* to = d[r] + y.offset;
      if (a.active) put(to, y.lanes(), false, product(d[r] + a.offset, p[b]));     // da ⊙ b
      if (b.active) put(to, y.lanes(), a.active, product(d[r] + b.offset, p[a]));  // + a ⊙ db
    }
  }

  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> bar) const {
    for (int r = 0; r < bar.count; ++r) {
      const T* from = bar[r] + y.offset;
      if (a.active) put(bar[r] + a.offset, y.lanes(), a.add, product(from, static_cast<const T*>(p[b])));
      if (b.active) put(bar[r] + b.offset, y.lanes(), b.add, product(from, static_cast<const T*>(p[a])));
    }
  }

  template <class T>
  void bend(const Pass<T>&, const T* d, T* dd) const {
    if (!a.active || !b.active) return;
    const T *u = d + a.offset, *v = d + b.offset;
    put(dd + y.offset, y.lanes(), true, [=](int i) { return 2 * u[i] * v[i]; });  // 2 da ⊙ db
  }

 private:
  template <class T>
  static auto product(const T* u, const T* v) {
    return [=](int i) { return u[i] * v[i]; };
  }
};

// y = gain·p ⊙ x + r
struct ScaleAdd {
  float gain;
  const float* weight;    // p, or null for 1
  const float* constant;  // r where it is constant, or null
  Source x, r;            // r may not exist
  Register y;

  void sources(auto visit) { visit(x), visit(r); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return y.n; }

  template <class T>
  void value(const Pass<T>& p) const {
    T* to = p[y];
    scale(static_cast<const T*>(p[x]), false, to);
    if (constant != nullptr) put(to, y.lanes(), true, [c = constant](int i) { return static_cast<T>(c[i]); });
    if (r.exists()) put(to, y.lanes(), true, [from = p[r]](int i) { return from[i]; });
  }

  template <class T>
  void jvp(const Pass<T>&, BasicRows<T> d) const {
    for (int c = 0; c < d.count; ++c) {
      T* to = d[c] + y.offset;
      if (x.active) scale(static_cast<const T*>(d[c] + x.offset), false, to);
      if (r.active) put(to, y.lanes(), x.active, [from = d[c] + r.offset](int i) { return from[i]; });
    }
  }

  template <class T>
  void vjp(const Pass<T>&, BasicRows<T> a) const {
    for (int c = 0; c < a.count; ++c) {
      const T* from = a[c] + y.offset;
      if (x.active) scale(from, x.add, a[c] + x.offset);
      if (r.active) put(a[c] + r.offset, y.lanes(), r.add, [=](int i) { return from[i]; });
    }
  }

 private:
  template <class T>
  void scale(const T* from, bool add, T* to) const {
    const T g = gain;
    if (weight == nullptr) return put(to, y.lanes(), add, [=](int i) { return g * from[i]; });
    put(to, y.lanes(), add, [=, w = weight](int i) { return g * w[i] * from[i]; });
  }
};

// y = s·x, with s the first element of its register
struct Scale {
  Source s, x;
  Register y;

  void sources(auto visit) { visit(s), visit(x); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return y.n; }

  template <class T>
  void value(const Pass<T>& p) const {
    put(p[y], y.lanes(), false, [f = *p[s], from = p[x]](int i) { return f * from[i]; });
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) {
      T* to = d[r] + y.offset;
      if (x.active) put(to, y.lanes(), false, [f = *p[s], from = d[r] + x.offset](int i) { return f * from[i]; });
      if (s.active) put(to, y.lanes(), x.active, [f = d[r][s.offset], from = p[x]](int i) { return f * from[i]; });
    }
  }

  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> a) const {
    for (int r = 0; r < a.count; ++r) {
      const T* from = a[r] + y.offset;
      if (x.active) put(a[r] + x.offset, y.lanes(), x.add, [f = *p[s], from](int i) { return f * from[i]; });
      if (!s.active) continue;
      const T sum = dot<T>(from, p[x], y.lanes());
      put(a[r] + s.offset, kLane, s.add, [=](int i) { return i == 0 ? sum : T{0}; });
    }
  }

  template <class T>
  void bend(const Pass<T>&, const T* d, T* dd) const {
    if (!s.active || !x.active) return;
    put(dd + y.offset, y.lanes(), true, [f = d[s.offset], from = d + x.offset](int i) { return 2 * f * from[i]; });
  }
};

}  // namespace elastane
