// Diagonal state-space block (Gu, Goel, Gupta, Ré 2022): one complex diagonal recurrence for each channel.
//
//   s ← Ās + B̄u        o = 2·Re Σ_n C_n s_n + D ⊙ u        Ā, B̄ from (A, Δ) by zero-order hold or bilinear
//
// State, dense: real parts [pair][channel], then imaginary parts.
#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include "elastane/core/backbone/batch.h"
#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"

namespace elastane {

struct S4d {
  int width, pairs;
  bool bilinear;
  StateSlot slot;

  DiagonalPlanes unit;               // Ē and B̄ for dt = 1, [pair][width]
  const float *c_re, *c_im;          // 2C
  const float* skip;                 // D [width]
  const float *a_re, *a_im;          // A, for other dt
  const float* step;                 // exp(log_dt) [width]
  const float *start_re, *start_im;  // s at reset, or null

  int plane() const { return pairs * padded(width); }
  StateClasses state() const { return {.dense = 2 * plane()}; }
  int out_size() const { return width; }
  int latents() const { return 2 * pairs * width; }
  std::int64_t macs() const { return std::int64_t{width} * (8 * pairs + 1); }
};

std::size_t scratch_floats(const S4d& block, int rows);

void project(const S4d& block, const BlockCall& call);
void advance(const S4d& block, const BlockCall& call, int first, int count);
void read(const S4d& block, const BlockCall& call, int first, int count);
void finish(const S4d& block, const BlockCall& call);

Register describe(const S4d& block, Register u, Description& description);

// the tensors that a block's planes are derived from, in double: float32 would lose the slow modes
struct S4dTensors {
  std::span<const float> log_dt, log_a_real, a_imag, c;
  int pairs;
  bool bilinear;

  using Complex = std::complex<double>;
  double step(int i) const { return std::exp(static_cast<double>(log_dt[i])); }
  Complex a(int n, int i) const {
    return {-std::exp(static_cast<double>(log_a_real[i * pairs + n])), a_imag[i * pairs + n]};
  }
  // Ē = Ā − 1
  Complex e(int n, int i) const {
    const Complex z = step(i) * a(n, i);
    if (bilinear) return z / (1.0 - 0.5 * z);
    const double s = std::sin(0.5 * z.imag()), grown = std::expm1(z.real());
    return {grown * std::cos(z.imag()) - 2 * s * s, (grown + 1) * std::sin(z.imag())};
  }
  // zero-order hold: B̄ = Ē/A. Bilinear: B̄ = Δ/(1 − z/2), and Ē = z/(1 − z/2) = A·B̄, so the same
  Complex b(int n, int i) const { return e(n, i) / a(n, i); }
};

// starting values: S4D-Lin, A = −½ + iπn
inline S4dTensors bind_tensors(const S4dConfig& config, int width, Binder& binder) {
  const int pairs = config.state / 2;
  S4dTensors t{};
  t.pairs = pairs;
  t.bilinear = config.discretisation == Discretisation::bilinear;
  t.log_dt = binder.tensor("log_dt", {width}, [](Random& random, std::size_t) {
    return static_cast<float>(random.uniform(std::log(0.001), std::log(0.1)));
  });
  t.log_a_real = binder.tensor("log_A_real", {width, pairs}, constant(std::log(0.5)));
  t.a_imag = binder.tensor("A_imag", {width, pairs}, [pairs](Random&, std::size_t i) {
    return static_cast<float>(std::numbers::pi * static_cast<double>(i % pairs));
  });
  t.c = binder.tensor("C", {width, pairs, 2}, [](Random& random, std::size_t) {
    return static_cast<float>(random.normal() * std::numbers::sqrt2 / 2);
  });
  return t;
}

inline S4d bind(const S4dConfig& config, int width, bool learned_start, Binder& binder) {
  const S4dTensors t = bind_tensors(config, width, binder);
  const int pairs = t.pairs;
  S4d b{};
  b.width = width;
  b.pairs = pairs;
  b.bilinear = t.bilinear;
  b.unit.e_re = binder.planes(pairs, width, [&](int n, int i) { return t.e(n, i).real(); });
  b.unit.e_im = binder.planes(pairs, width, [&](int n, int i) { return t.e(n, i).imag(); });
  b.unit.b_re = binder.planes(pairs, width, [&](int n, int i) { return t.b(n, i).real(); });
  b.unit.b_im = binder.planes(pairs, width, [&](int n, int i) { return t.b(n, i).imag(); });
  b.c_re = binder.planes(pairs, width, [&](int n, int i) { return 2 * t.c[(i * pairs + n) * 2]; });
  b.c_im = binder.planes(pairs, width, [&](int n, int i) { return 2 * t.c[(i * pairs + n) * 2 + 1]; });
  b.skip = binder.vector("D", {width}, [](Random& random, std::size_t) { return static_cast<float>(random.normal()); });
  if (learned_start) {
    const auto h0 = binder.tensor("h0", {width, pairs, 2}, constant(0.0));
    b.start_re = binder.planes(pairs, width, [&](int n, int i) { return h0[(i * pairs + n) * 2]; });
    b.start_im = binder.planes(pairs, width, [&](int n, int i) { return h0[(i * pairs + n) * 2 + 1]; });
  }
  // read only when time steps are irregular, so they lie last
  b.a_re = binder.planes(pairs, width, [&](int n, int i) { return t.a(n, i).real(); });
  b.a_im = binder.planes(pairs, width, [&](int n, int i) { return t.a(n, i).imag(); });
  b.step = binder.planes(1, width, [&](int, int i) { return t.step(i); });
  return b;
}

}  // namespace elastane
