// Time steps of states in planes [state][channel]: value and tangents only, since no adjoint goes back through time.
#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

#include "elastane/core/math/tape.h"

namespace elastane {

// s′ = e^(ΔA)s + (Δ ⊙ x)B, with a = A·log2(e)
struct SelectiveStep {
  int states, n;  // n padded
  const float* a;
  Source delta, x, b, s;
  Register y, decay;  // s′, e^(ΔA)

  void sources(auto visit) { visit(delta), visit(x), visit(b), visit(s); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return 3 * std::int64_t{states} * delta.n; }

  template <class T>
  void value(const Pass<T>& p) const {
    if constexpr (std::is_same_v<T, float>) {
      const auto step = [&](const float* drive, float* to) {
        p.k.selective_advance(a, p[delta], drive, p[b], states, n, to);
      };
      for (int i = 0; i < states * n; ++i) p[y][i] = p[s][i];
      step(p[x], p[y]);
      if (!p.derivatives) return;
      // without a drive, a step from 1 ends at e^(ΔA)
      for (int i = 0; i < states * n; ++i) p[decay][i] = 1;
      for (int i = 0; i < n; ++i) p.scratch[i] = 0;
      step(p.scratch, p[decay]);
    } else {
      for (int k = 0; k < states; ++k) {
        for (int i = 0, j = k * n; i < n; ++i, ++j) {
          p[decay][j] = std::exp(p[delta][i] * a[j] * std::log(T{2}));
          p[y][j] = p[decay][j] * p[s][j] + p[delta][i] * p[x][i] * p[b][k];
        }
      }
    }
  }

  // ds′ = e^(ΔA)(ds + A dΔ s) + d(Δ ⊙ x)B + (Δ ⊙ x)dB
  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    constexpr T ln2 = static_cast<T>(0.69314718055994530942);
    T *drive = p.scratch, *drive_change = drive + n, *zeros = drive + 2 * n;
    const T *step = p[delta], *in = p[x];
    for (int i = 0; i < n; ++i) drive[i] = step[i] * in[i], zeros[i] = 0;
    for (int r = 0; r < d.count; ++r) {
      const T* dstep = delta.active ? d[r] + delta.offset : zeros;
      const T* dx = x.active ? d[r] + x.offset : zeros;
      for (int i = 0; i < n; ++i) drive_change[i] = dstep[i] * in[i] + step[i] * dx[i];
      for (int k = 0; k < states; ++k) {
        const T *keep = p[decay] + k * n, *old = p[s] + k * n;
        const T* ds = s.active ? d[r] + s.offset + k * n : zeros;
        const T f = p[b][k], df = b.active ? d[r][b.offset + k] : T{0};
        put(d[r] + y.offset + k * n, n, false, [=, rate = a + k * n](int i) {
          return keep[i] * (ds[i] + ln2 * rate[i] * dstep[i] * old[i]) + drive_change[i] * f + drive[i] * df;
        });
      }
    }
  }
};

// Ē and B̄ of a diagonal recurrence for a step dt; planes Ē re, im, B̄ re, im
struct Discretise {
  bool bilinear;
  int pairs, width, n;  // channels, and padded
  DiagonalPlanes unit;
  const float *a_re, *a_im, *step;
  Source dt;
  Register y;

  void sources(auto visit) { visit(dt); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return 4 * std::int64_t{pairs} * n; }

  template <class T>
  void value(const Pass<T>& p) const {
    const int plane = pairs * n;
    T* to = p[y];
    if constexpr (std::is_same_v<T, float>) {
      if (*p[dt] != 1.0F) {
        p.k.discretise(bilinear, a_re, a_im, step, *p[dt], pairs, n, to);
        for (int k = 0; k < 4 * pairs; ++k) {  // 0/0 in the padding
          for (int i = width; i < n; ++i) to[k * n + i] = 0;
        }
        return;
      }
      // made in double when the model was loaded
      const float* from[] = {unit.e_re, unit.e_im, unit.b_re, unit.b_im};
      for (int i = 0; i < 4; ++i) put(to + i * plane, plane, false, [=](int j) { return from[i][j]; });
    } else {
      using Complex = std::complex<T>;
      for (int i = 0; i < plane; ++i) {
        const T delta = *p[dt] * step[i % n];
        const Complex rate(a_re[i], a_im[i]), z = delta * rate;
        Complex e, b(delta);
        if (bilinear) {
          e = over(z, Complex(1) - z / T{2});
          b = over(b, Complex(1) - z / T{2});
        } else {
          const T grown = std::expm1(z.real()), half = std::sin(z.imag() / 2);
          e = {grown * std::cos(z.imag()) - 2 * half * half, (grown + 1) * std::sin(z.imag())};
          if (rate != T{0}) b = over(e, rate);
        }
        to[i] = e.real(), to[plane + i] = e.imag(), to[2 * plane + i] = b.real(), to[3 * plane + i] = b.imag();
      }
    }
  }

  // dĒ = A·dB̄, dB̄ = step·Q, with Q = 1 + Ē for zero-order hold and (1 + Ē/2)² for bilinear
  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    const int plane = pairs * n;
    for (int r = 0; r < d.count; ++r) {
      const T moved = d[r][dt.offset];
      T* to = d[r] + y.offset;
      for (int i = 0; i < plane; ++i) {
        T re = 1 + p[y][i], im = p[y][plane + i];
        if (bilinear) {
          const T half = 1 + p[y][i] / 2;
          re = half * half - im * im / 4;
          im = half * im;
        }
        const T b_re = moved * step[i % n] * re, b_im = moved * step[i % n] * im;
        to[i] = a_re[i] * b_re - a_im[i] * b_im;
        to[plane + i] = a_re[i] * b_im + a_im[i] * b_re;
        to[2 * plane + i] = b_re;
        to[3 * plane + i] = b_im;
      }
    }
  }

 private:
  // u/v, written out: the library's version calls functions to treat infinities
  template <class T>
  static std::complex<T> over(std::complex<T> u, std::complex<T> v) {
    const T norm = v.real() * v.real() + v.imag() * v.imag();
    return {(u.real() * v.real() + u.imag() * v.imag()) / norm, (u.imag() * v.real() - u.real() * v.imag()) / norm};
  }
};

// s′ = s + (Ēs + B̄u), complex; s and s′ hold real parts [pair][channel], then imaginary parts
struct DiagonalStep {
  int pairs, n;  // n padded
  Source planes, u, s;
  Register y;

  void sources(auto visit) { visit(planes), visit(u), visit(s); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return 6 * std::int64_t{pairs} * u.n; }

  template <class T>
  void value(const Pass<T>& p) const {
    const int plane = pairs * n;
    for (int i = 0; i < 2 * plane; ++i) p[y][i] = p[s][i];
    if constexpr (std::is_same_v<T, float>) {
      const float* e = p[planes];
      p.k.diagonal_advance({e, e + plane, e + 2 * plane, e + 3 * plane}, p[u], pairs, n, p[y], p[y] + plane);
    } else {
      drive<T>(p[planes], p[u], p[y]);
      turn<T>(p[planes], p[s], p[y]);
    }
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) {
      T* to = d[r] + y.offset;
      put(to, 2 * pairs * n, false, [&, ds = d[r] + s.offset](int i) { return s.active ? ds[i] : T{0}; });
      if (s.active) turn<T>(p[planes], d[r] + s.offset, to);
      if (u.active) drive<T>(p[planes], d[r] + u.offset, to);
      if (!planes.active) continue;
      turn<T>(d[r] + planes.offset, p[s], to);
      drive<T>(d[r] + planes.offset, p[u], to);
    }
  }

 private:
  // to ← to + Ēs
  template <class T>
  void turn(const T* e, const T* from, T* to) const {
    const int plane = pairs * n;
    const T *e_re = e, *e_im = e + plane, *re = from, *im = from + plane;
    put(to, plane, true, [=](int i) { return e_re[i] * re[i] - e_im[i] * im[i]; });
    put(to + plane, plane, true, [=](int i) { return e_re[i] * im[i] + e_im[i] * re[i]; });
  }
  // to ← to + B̄u
  template <class T>
  void drive(const T* e, const T* in, T* to) const {
    for (int k = 0; k < 2 * pairs; ++k) {
      put(to + k * n, n, true, [=, b = e + (2 * pairs + k) * n](int i) { return b[i] * in[i]; });
    }
  }
};

// what enters a cell in a time step dt while it forgets: y = (1 − φ)/(1 − f), f = σ(x), φ = f^dt
struct Accrue {
  Source x, dt;
  Register y, slope, pace;  // y, ∂y/∂x, ∂y/∂dt

  void sources(auto visit) { visit(x), visit(dt); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return 4 * std::int64_t{x.n}; }

  template <class T>
  void value(const Pass<T>& p) const {
    const T t = *p[dt];
    if (t == 1 && !(p.derivatives && dt.active)) {
      put(p[y], x.lanes(), false, [](int) { return T{1}; });
      return put(p[slope], x.lanes(), false, [](int) { return T{0}; });
    }
    for (int i = 0; i < x.lanes(); ++i) {
      const T a = p[x][i], soft = (a < 0 ? -a : T{0}) + std::log1p(std::exp(-std::fabs(a)));  // −log f
      const T kept = std::exp(-t * soft), rest = 1 / (1 + std::exp(a));                       // φ, 1 − f
      const bool open = a > 60;                                                               // 0/0; the limit is dt
      p[y][i] = open ? t : -std::expm1(-t * soft) / rest;
      p[slope][i] = open ? 0 : p[y][i] * (1 - rest) - t * kept;
      p[pace][i] = open ? 1 : soft * kept / rest;
    }
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) {
      T* to = d[r] + y.offset;
      if (x.active) put(to, x.lanes(), false, [f = p[slope], dx = d[r] + x.offset](int i) { return f[i] * dx[i]; });
      if (dt.active) put(to, x.lanes(), x.active, [f = p[pace], m = d[r][dt.offset]](int i) { return f[i] * m; });
    }
  }
};

}  // namespace elastane
