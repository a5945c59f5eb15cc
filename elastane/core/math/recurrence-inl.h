// One step of each recurrence: short convolution, selective, leaky, diagonal, gru, lstm.
// Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_RECURRENCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_RECURRENCE_INL_H_
#undef ELASTANE_RECURRENCE_INL_H_
#else
#define ELASTANE_RECURRENCE_INL_H_
#endif

#include "elastane/core/math/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

// channels i … i + kN − 1; `start` is the bias
HWY_INLINE V convolved(const float* w, V start, int taps, int newest, const float* x, int n, int i, float* ring) {
  const D d;
  const V now = admissible(hn::Load(d, x + i));
  V sum = hn::MulAdd(hn::Load(d, w + i), now, start);
  hn::Store(now, d, ring + newest * n + i);
  // tap k saw the input of k steps ago, which lies k slots before the newest
  for (int k = 1, slot = newest; k < taps; ++k) {
    slot = slot == 0 ? taps - 1 : slot - 1;
    sum = hn::MulAdd(hn::Load(d, w + k * n + i), hn::Load(d, ring + slot * n + i), sum);
  }
  return sum;
}

void convolve(const float* w, const float* b, int taps, int newest, const float* x, int n, float* ring, float* y) {
  const D d;
  for (int i = 0; i < n; i += kN) {
    hn::Store(silu(convolved(w, hn::Load(d, b + i), taps, newest, x, n, i, ring)), d, y + i);
  }
}

void convolve_linear(const float* w, int taps, int newest, const float* x, int n, float* ring, float* y) {
  const D d;
  for (int i = 0; i < n; i += kN) hn::Store(convolved(w, hn::Zero(d), taps, newest, x, n, i, ring), d, y + i);
}

void selective_advance(const float* a, const float* delta, const float* x, const float* b, int states, int n,
                       float* HWY_RESTRICT s) {
  const D d;
  for (int i = 0; i < n; i += kN) {
    // bounded here, once a channel: 2ᵗ − 1 lies in [−1, 0], so s grows by at most kDriveLimit² a step
    const V step = bounded(hn::Load(d, delta + i), kStateLimit);
    const V drive = bounded(hn::Mul(step, hn::Load(d, x + i)), kDriveLimit);
    for (int k = 0; k < states; ++k) {
      const V old = hn::Load(d, s + k * n + i);
      const V change = power_minus_one(hn::Mul(step, hn::Load(d, a + k * n + i)));  // e^(ΔA) − 1
      hn::Store(hn::Add(old, hn::MulAdd(change, old, hn::Mul(drive, hn::Set(d, b[k])))), d, s + k * n + i);
    }
  }
}

void selective_read(const float* c, const float* skip, const float* x, const float* s, int states, int n, float* y) {
  const D d;
  for (int i = 0; i < n; i += kN) {
    V sum = hn::Mul(hn::Load(d, skip + i), hn::Load(d, x + i));
    for (int k = 0; k < states; ++k) sum = hn::MulAdd(hn::Set(d, c[k]), hn::Load(d, s + k * n + i), sum);
    hn::Store(sum, d, y + i);
  }
}

void leaky_advance(const float* a, const float* delta, const float* b, int n, float* z) {
  const D d;
  for (int i = 0; i < n; i += kN) {
    const V step = bounded(hn::Load(d, delta + i), kStateLimit);
    const V drive = bounded(hn::Load(d, b + i), kDriveLimit);
    const V old = hn::Load(d, z + i);
    const V change = power_minus_one(hn::Mul(step, hn::Load(d, a + i)));  // e^(ΔA) − 1
    hn::Store(admissible(hn::MulAdd(change, hn::Sub(old, drive), old)), d, z + i);
  }
}

void diagonal_advance(const DiagonalPlanes& p, const float* u, int pairs, int n, float* s_re, float* s_im) {
  const D d;
  for (int i = 0; i < n; i += kN) {
    const V input = hn::Load(d, u + i);
    for (int k = i; k < pairs * n; k += n) {
      const V er = hn::Load(d, p.e_re + k), ei = hn::Load(d, p.e_im + k);
      const V re = hn::Load(d, s_re + k), im = hn::Load(d, s_im + k);
      const V drive_re = hn::Mul(hn::Load(d, p.b_re + k), input), drive_im = hn::Mul(hn::Load(d, p.b_im + k), input);
      const V change_re = hn::MulAdd(er, re, hn::NegMulAdd(ei, im, drive_re));
      const V change_im = hn::MulAdd(er, im, hn::MulAdd(ei, re, drive_im));
      hn::Store(admissible(hn::Add(re, change_re)), d, s_re + k);
      hn::Store(admissible(hn::Add(im, change_im)), d, s_im + k);
    }
  }
}

void diagonal_read(const float* c_re, const float* c_im, const float* skip, const float* u, const float* s_re,
                   const float* s_im, int pairs, int n, float* y) {
  const D d;
  for (int i = 0; i < n; i += kN) {
    V sum = hn::Mul(hn::Load(d, skip + i), hn::Load(d, u + i));
    for (int k = i; k < pairs * n; k += n) {
      sum = hn::MulAdd(hn::Load(d, c_re + k), hn::Load(d, s_re + k), sum);
      sum = hn::NegMulAdd(hn::Load(d, c_im + k), hn::Load(d, s_im + k), sum);
    }
    hn::Store(sum, d, y + i);
  }
}

// Ē = z/(1 − z/2), B̄ = Δ/(1 − z/2), with z = ΔA
HWY_INLINE void discretise_bilinear(V delta, V zr, V zi, V& e_re, V& e_im, V& b_re, V& b_im) {
  const D d;
  const V one = hn::Set(d, 1.0F), half = hn::Set(d, 0.5F);
  const V pr = hn::NegMulAdd(half, zr, one), pi = hn::Mul(half, zi);  // conj(1 − z/2)
  const V norm = hn::Div(one, hn::MulAdd(pr, pr, hn::Mul(pi, pi)));
  const V ir = hn::Mul(pr, norm), ii = hn::Mul(pi, norm);  // 1/(1 − z/2)
  e_re = hn::NegMulAdd(zi, ii, hn::Mul(zr, ir));
  e_im = hn::MulAdd(zr, ii, hn::Mul(zi, ir));
  b_re = hn::Mul(delta, ir);
  b_im = hn::Mul(delta, ii);
}

// Ē = eᶻ − 1, with z = ΔA, and B̄ = Ē/A
HWY_INLINE void discretise_exactly(V ar, V ai, V zr, V zi, V& e_re, V& e_im, V& b_re, V& b_im) {
  const D d;
  const V one = hn::Set(d, 1.0F), half = hn::Set(d, 0.5F), two = hn::Set(d, 2.0F);
  // without cancellation: expm1(a)cos b − 2 sin²(b/2) + i eᵃ sin b; b without whole turns, 2π in two parts
  const V turns = hn::Round(hn::Mul(zi, hn::Set(d, 0.159154943F)));
  const V b = hn::NegMulAdd(turns, hn::Set(d, 1.93530718e-3F), hn::NegMulAdd(turns, hn::Set(d, 6.28125F), zi));
  const V grown = hn::Expm1(d, zr), s = hn::Sin(d, hn::Mul(half, b));
  const V cosine = hn::Cos(d, b), sine = hn::Sin(d, b);
  e_re = hn::NegMulAdd(hn::Mul(two, s), s, hn::Mul(grown, cosine));
  e_im = hn::MulAdd(grown, sine, sine);
  // after a long pause nothing is left; sine and cosine of large angles would not cancel to that
  const auto gone = hn::Lt(zr, hn::Set(d, -20.0F));
  e_re = hn::IfThenElse(gone, hn::Set(d, -1.0F), e_re);
  e_im = hn::IfThenZeroElse(gone, e_im);
  // B̄ = Ē·conj(A)/|A|²
  const V norm = hn::Div(one, hn::MulAdd(ar, ar, hn::Mul(ai, ai)));
  b_re = hn::Mul(norm, hn::MulAdd(e_re, ar, hn::Mul(e_im, ai)));
  b_im = hn::Mul(norm, hn::NegMulAdd(e_re, ai, hn::Mul(e_im, ar)));
}

void discretise(bool bilinear, const float* a_re, const float* a_im, const float* step, float dt, int pairs, int n,
                float* out) {
  const D d;
  const int plane = pairs * n;
  for (int k = 0; k < plane; k += kN) {
    const V delta = hn::Mul(hn::Set(d, dt), hn::Load(d, step + k % n));
    const V ar = hn::Load(d, a_re + k), ai = hn::Load(d, a_im + k);
    const V zr = hn::Mul(delta, ar), zi = hn::Mul(delta, ai);  // z = ΔA
    V e_re, e_im, b_re, b_im;
    if (bilinear) {
      discretise_bilinear(delta, zr, zi, e_re, e_im, b_re, b_im);
    } else {
      discretise_exactly(ar, ai, zr, zi, e_re, e_im, b_re, b_im);
    }
    hn::Store(e_re, d, out + k);
    hn::Store(e_im, d, out + plane + k);
    hn::Store(b_re, d, out + 2 * plane + k);
    hn::Store(b_im, d, out + 3 * plane + k);
  }
}

// σ(a)^dt = exp(−dt·softplus(−a)): the share of the state that survives a time step dt
HWY_INLINE V retained(V a, float dt) { return exponential(hn::Mul(hn::Set(D(), -dt), softplus(hn::Neg(a)))); }

void gru_advance(const float* gi, const float* gh, float dt, int n, float* h) {
  const D d;
  for (int i = 0; i < n; i += kN) {
    const V r = sigmoid(hn::Add(hn::Load(d, gi + i), hn::Load(d, gh + i)));
    const V za = hn::Add(hn::Load(d, gi + n + i), hn::Load(d, gh + n + i));
    const V z = dt == 1.0F ? sigmoid(za) : retained(za, dt);
    const V candidate = hyperbolic_tangent(hn::MulAdd(r, hn::Load(d, gh + 2 * n + i), hn::Load(d, gi + 2 * n + i)));
    const V old = hn::Load(d, h + i);
    hn::Store(admissible(hn::MulAdd(z, hn::Sub(old, candidate), candidate)), d, h + i);  // (1−z)n + zh
  }
}

void lstm_advance(const float* gi, const float* gh, float dt, int n, float* h, float* c) {
  const D d;
  for (int i = 0; i < n; i += kN) {
    const V in = sigmoid(hn::Add(hn::Load(d, gi + i), hn::Load(d, gh + i)));
    const V fa = hn::Add(hn::Load(d, gi + n + i), hn::Load(d, gh + n + i));
    const V g = hyperbolic_tangent(hn::Add(hn::Load(d, gi + 2 * n + i), hn::Load(d, gh + 2 * n + i)));
    const V out = sigmoid(hn::Add(hn::Load(d, gi + 3 * n + i), hn::Load(d, gh + 3 * n + i)));
    V keep = sigmoid(fa), drive = hn::Mul(in, g);
    if (dt != 1.0F) {
      // φ = f^dt and Σ of what enters meanwhile, (1 − φ)/(1 − f)
      const V log_keep = hn::Mul(hn::Set(d, -dt), softplus(hn::Neg(fa)));
      keep = exponential(log_keep);
      const V entered = hn::Div(hn::Neg(hn::Expm1(d, log_keep)), sigmoid(hn::Neg(fa)));
      const auto wide_open = hn::Gt(fa, hn::Set(d, 60.0F));  // 0/0 in float32; the limit for f → 1 is dt
      drive = hn::Mul(drive, hn::IfThenElse(wide_open, hn::Set(d, dt), entered));
    }
    const V cell = admissible(hn::MulAdd(keep, hn::Load(d, c + i), drive));
    hn::Store(cell, d, c + i);
    hn::Store(admissible(hn::Mul(out, hyperbolic_tangent(cell))), d, h + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
