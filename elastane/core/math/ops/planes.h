// Read-outs of states that lie in planes [state][channel], with n channels per plane.
#pragma once

#include "elastane/core/math/tape.h"

namespace elastane {

// y_i = Σ_k c_k s_{k,i}
struct Contract {
  int states, n;  // n padded
  Source c, s;
  Register y;

  void sources(auto visit) { visit(c), visit(s); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return std::int64_t{states} * y.n; }

  template <class T>
  void value(const Pass<T>& p) const {
    sum(static_cast<const T*>(p[c]), static_cast<const T*>(p[s]), T{1}, false, p[y]);
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) {
      T* to = d[r] + y.offset;
      if (s.active) sum<T>(p[c], d[r] + s.offset, 1, false, to);
      if (c.active) sum<T>(d[r] + c.offset, p[s], 1, s.active, to);
    }
  }

  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> a) const {
    for (int r = 0; r < a.count; ++r) {
      const T* ay = a[r] + y.offset;
      for (int k = 0; s.active && k < states; ++k) {
        put(a[r] + s.offset + k * n, n, s.add, [=, f = p[c][k]](int i) { return f * ay[i]; });
      }
      if (!c.active) continue;
      put(a[r] + c.offset, c.lanes(), c.add, [&](int k) { return k < states ? dot<T>(ay, p[s] + k * n, n) : T{0}; });
    }
  }

  template <class T>
  void bend(const Pass<T>&, const T* d, T* dd) const {
    if (c.active && s.active) sum<T>(d + c.offset, d + s.offset, 2, true, dd + y.offset);
  }

 private:
  template <class T>
  void sum(const T* factor, const T* plane, T gain, bool add, T* to) const {
    for (int k = 0; k < states; ++k, plane += n) {
      put(to, n, add || k > 0, [=, f = gain * factor[k]](int i) { return f * plane[i]; });
    }
  }
};

// y_i = Σ_k p_{k,i} s_{k,i}
struct Weigh {
  int states, n;  // n padded
  const float* weight;
  Source s;
  Register y;

  void sources(auto visit) { visit(s); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return std::int64_t{states} * y.n; }

  template <class T>
  void value(const Pass<T>& p) const {
    sum(static_cast<const T*>(p[s]), p[y]);
  }

  template <class T>
  void jvp(const Pass<T>&, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) sum(static_cast<const T*>(d[r] + s.offset), d[r] + y.offset);
  }

  template <class T>
  void vjp(const Pass<T>&, BasicRows<T> a) const {
    for (int r = 0; r < a.count; ++r) {
      const T* ay = a[r] + y.offset;
      for (int k = 0; k < states; ++k) {
        put(a[r] + s.offset + k * n, n, s.add, [=, w = weight + k * n](int i) { return w[i] * ay[i]; });
      }
    }
  }

 private:
  template <class T>
  void sum(const T* plane, T* to) const {
    const float* w = weight;
    for (int k = 0; k < states; ++k, plane += n, w += n) {
      put(to, n, k > 0, [=](int i) { return w[i] * plane[i]; });
    }
  }
};

}  // namespace elastane
