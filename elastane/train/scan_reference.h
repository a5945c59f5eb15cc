// Naive twins of the scans: every state is kept, every line is the equation. They define what a kernel computes, test
// it, and are used where a network is trained in double.
#pragma once

#include <cmath>
#include <complex>
#include <vector>

#include "elastane/train/scan.h"

namespace elastane::train::reference {

template <class T>
void leaky(const LeakyScan<T>& s) {
  const auto [length, channels, first, count] = s.part;
  for (int i = first; i < first + count; ++i) {
    T z = s.start[i];
    for (int k = i; k < length * channels; k += channels) s.z[k] = z = z + s.e[k] * (z - s.b[k]);
  }
}

template <class T>
void leaky_back(const LeakyScan<T>& s, const LeakyGradients<T>& g) {
  const auto [length, channels, first, count] = s.part;
  for (int i = first; i < first + count; ++i) {
    T later = 0;  // gradient from later steps
    for (int t = length - 1, k = t * channels + i; t >= 0; --t, k -= channels) {
      const T wanted = g.z[k] + later;
      const T before = t > 0 ? s.z[k - channels] : s.start[i];
      g.e[k] = wanted * (before - s.b[k]);
      g.b[k] = -s.e[k] * wanted;
      later = wanted + s.e[k] * wanted;
    }
    g.start[i] = later;
  }
}

// one complex plane in two real ones
template <class T>
struct Planes {
  T *re, *im;
  std::complex<T> operator[](int i) const { return {re[i], im[i]}; }
  void set(int i, std::complex<T> v) const { re[i] = v.real(), im[i] = v.imag(); }
  void add(int i, std::complex<T> v) const { re[i] += v.real(), im[i] += v.imag(); }
};
template <class T>
Planes<T> planes(T* data, int plane) {
  return {data, data + plane};
}
template <class T>
std::complex<T> value(const T* data, int plane, int i) {
  return {data[i], data[plane + i]};
}

template <class T>
void diagonal(const DiagonalScan<T>& s) {
  using Complex = std::complex<T>;
  const auto [length, channels, first, count] = s.part;
  const int plane = s.pairs * channels;
  for (int i = first; i < first + count; ++i) {
    for (int t = 0; t < length; ++t) s.y[t * channels + i] = 0;
    for (int k = i; k < plane; k += channels) {
      Complex z = value(s.start, plane, k);
      for (int t = 0; t < length; ++t) {
        if (s.kept != nullptr && t % kSpan == 0) planes(s.kept + t / kSpan * 2 * plane, plane).set(k, z);
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t) * s.step;
        z += value(s.e + at, plane, k) * z + value(s.b + at, plane, k) * s.u[t * channels + i];
        s.y[t * channels + i] += (value(s.c, plane, k) * z).real();
      }
      planes(s.end, plane).set(k, z);
    }
  }
}

template <class T>
void diagonal_back(const DiagonalScan<T>& s, const DiagonalGradients<T>& g) {
  using Complex = std::complex<T>;
  const auto [length, channels, first, count] = s.part;
  const int plane = s.pairs * channels;
  std::vector<Complex> before(length + 1);
  for (int i = first; i < first + count; ++i) {
    for (int t = 0; t < length; ++t) g.u[t * channels + i] = 0;
    for (int k = i; k < plane; k += channels) {
      before[0] = value(s.start, plane, k);
      for (int t = 0; t < length; ++t) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t) * s.step;
        const Complex e = value(s.e + at, plane, k), b = value(s.b + at, plane, k);
        before[t + 1] = before[t] + e * before[t] + b * s.u[t * channels + i];
      }
      if (s.step == 0) planes(g.e, plane).set(k, 0), planes(g.b, plane).set(k, 0);
      planes(g.c, plane).set(k, 0);
      // a gradient is the conjugate of the complex derivative: of w = az it is ā·(that of w)
      Complex later = value(g.end, plane, k);
      for (int t = length - 1; t >= 0; --t) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t) * s.step;
        const T u = s.u[t * channels + i], gy = g.y[t * channels + i];
        const Complex wanted = later + std::conj(value(s.c, plane, k)) * gy;
        planes(g.c, plane).add(k, std::conj(before[t + 1]) * gy);
        const Complex ge = wanted * std::conj(before[t]), gb = wanted * u;
        if (s.step == 0) {
          planes(g.e, plane).add(k, ge), planes(g.b, plane).add(k, gb);
        } else {
          planes(g.e + at, plane).set(k, ge), planes(g.b + at, plane).set(k, gb);
        }
        g.u[t * channels + i] += (std::conj(value(s.b + at, plane, k)) * wanted).real();
        later = wanted + std::conj(value(s.e + at, plane, k)) * wanted;
      }
      planes(g.start, plane).set(k, later);
    }
  }
}

template <class T>
void selective(const SelectiveScan<T>& s) {
  const auto [length, channels, first, count] = s.part;
  for (int i = first; i < first + count; ++i) {
    for (int t = 0; t < length; ++t) s.y[t * channels + i] = 0;
    for (int n = 0; n < s.states; ++n) {
      T z = s.start[n * channels + i];
      for (int t = 0; t < length; ++t) {
        const int k = t * channels + i;
        if (s.kept != nullptr && t % kSpan == 0) s.kept[(t / kSpan * s.states + n) * channels + i] = z;
        z = z + (std::expm1(s.delta[k] * s.a[n * channels + i]) * z + s.delta[k] * s.x[k] * s.b[t * s.states + n]);
        s.y[k] += s.c[t * s.states + n] * z;
      }
      s.end[n * channels + i] = z;
    }
  }
}

template <class T>
void selective_back(const SelectiveScan<T>& s, const SelectiveGradients<T>& g) {
  const auto [length, channels, first, count] = s.part;
  std::vector<T> before(length + 1);
  for (int k = 0; k < length * s.states; ++k) g.b[k] = g.c[k] = 0;
  for (int i = first; i < first + count; ++i) {
    for (int t = 0; t < length; ++t) g.delta[t * channels + i] = g.x[t * channels + i] = 0;
    for (int n = 0; n < s.states; ++n) {
      const T a = s.a[n * channels + i];
      before[0] = s.start[n * channels + i];
      for (int t = 0; t < length; ++t) {
        const int k = t * channels + i;
        before[t + 1] = std::exp(s.delta[k] * a) * before[t] + s.delta[k] * s.x[k] * s.b[t * s.states + n];
      }
      T later = g.end[n * channels + i], ga = 0;
      for (int t = length - 1; t >= 0; --t) {
        const int k = t * channels + i, m = t * s.states + n;
        const T wanted = later + s.c[m] * g.y[k];
        later = std::exp(s.delta[k] * a) * wanted;
        g.c[m] += g.y[k] * before[t + 1];
        g.b[m] += wanted * s.delta[k] * s.x[k];
        g.x[k] += wanted * s.delta[k] * s.b[m];
        g.delta[k] += wanted * s.x[k] * s.b[m] + later * a * before[t];
        ga += later * s.delta[k] * before[t];
      }
      g.a[n * channels + i] = ga;
      g.start[n * channels + i] = later;
    }
  }
}

}  // namespace elastane::train::reference
