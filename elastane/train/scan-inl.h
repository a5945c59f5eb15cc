// The scans in vectors of channels.   Included once for each instruction set; see scan.cpp.
//
// A vector holds kN channels. Their rows of one span are gathered into small arrays of whole vectors, worked on, and
// scattered back, so that there are no tails and no strides inside.
#if defined(ELASTANE_TRAIN_SCAN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_TRAIN_SCAN_INL_H_
#undef ELASTANE_TRAIN_SCAN_INL_H_
#else
#define ELASTANE_TRAIN_SCAN_INL_H_
#endif

#include <algorithm>
#include <cstring>
#include <vector>

#include "elastane/core/base/buffer.h"
#include "elastane/core/math/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elastane::train {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using elastane::HWY_NAMESPACE::D;
using elastane::HWY_NAMESPACE::kN;
using elastane::HWY_NAMESPACE::power_minus_one;
using elastane::HWY_NAMESPACE::V;

// aligned arrays of one call
class Scratch {
 public:
  explicit Scratch(std::size_t vectors) : room_(vectors * kN * sizeof(float)) {}
  float* take(std::size_t vectors) {
    float* taken = reinterpret_cast<float*>(room_.data()) + used_;
    used_ += vectors * kN;
    return taken;
  }

 private:
  Buffer room_;
  std::size_t used_ = 0;
};

// `rows` rows of `n` ≤ kN channels; what is behind them reads as zero
HWY_INLINE void gather(const float* from, int stride, int n, int rows, float* to) {
  for (int r = 0; r < rows; ++r, from += stride, to += kN) {
    if (n < kN) std::memset(to, 0, sizeof(float) * kN);
    std::memcpy(to, from, sizeof(float) * n);
  }
}
HWY_INLINE void scatter(const float* from, int stride, int n, int rows, float* to) {
  for (int r = 0; r < rows; ++r, from += kN, to += stride) std::memcpy(to, from, sizeof(float) * n);
}
HWY_INLINE void clear(float* to, std::size_t vectors) { std::memset(to, 0, sizeof(float) * kN * vectors); }
HWY_INLINE V load(const float* from, int row) { return hn::Load(D(), from + row * kN); }
HWY_INLINE void store(V v, float* to, int row) { hn::Store(v, D(), to + row * kN); }
HWY_INLINE void accumulate(V v, float* to, int row) { store(hn::Add(load(to, row), v), to, row); }

void leaky(const LeakyScan<float>& scan) {
  const auto [length, channels, first, count] = scan.part;
  Scratch scratch(3 * kSpan);
  float *e = scratch.take(kSpan), *b = scratch.take(kSpan), *z = scratch.take(kSpan);
  for (int i = first; i < first + count; i += kN) {
    const int n = std::min(kN, first + count - i);
    gather(scan.start + i, 0, n, 1, z);
    V state = load(z, 0);
    for (int t0 = 0; t0 < length; t0 += kSpan) {
      const int steps = std::min(kSpan, length - t0);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t0) * channels + i;
      gather(scan.e + at, channels, n, steps, e);
      gather(scan.b + at, channels, n, steps, b);
      for (int t = 0; t < steps; ++t) {
        state = hn::MulAdd(load(e, t), hn::Sub(state, load(b, t)), state);
        store(state, z, t);
      }
      scatter(z, channels, n, steps, scan.z + at);
    }
  }
}

void leaky_back(const LeakyScan<float>& scan, const LeakyGradients<float>& g) {
  const auto [length, channels, first, count] = scan.part;
  Scratch scratch(6 * kSpan + 1);
  float *e = scratch.take(kSpan), *b = scratch.take(kSpan), *z = scratch.take(kSpan + 1);  // z: before each step
  float *gz = scratch.take(kSpan), *ge = scratch.take(kSpan), *gb = scratch.take(kSpan);
  for (int i = first; i < first + count; i += kN) {
    const int n = std::min(kN, first + count - i);
    V later = hn::Zero(D());
    for (int t0 = (spans(length) - 1) * kSpan; t0 >= 0; t0 -= kSpan) {
      const int steps = std::min(kSpan, length - t0);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t0) * channels + i;
      gather(scan.e + at, channels, n, steps, e);
      gather(scan.b + at, channels, n, steps, b);
      gather(g.z + at, channels, n, steps, gz);
      gather(t0 > 0 ? scan.z + at - channels : scan.start + i, 0, n, 1, z);
      gather(scan.z + at, channels, n, steps, z + kN);
      for (int t = steps - 1; t >= 0; --t) {
        const V wanted = hn::Add(load(gz, t), later);
        store(hn::Mul(wanted, hn::Sub(load(z, t), load(b, t))), ge, t);
        const V moved = hn::Mul(load(e, t), wanted);
        store(hn::Neg(moved), gb, t);
        later = hn::Add(wanted, moved);
      }
      scatter(ge, channels, n, steps, g.e + at);
      scatter(gb, channels, n, steps, g.b + at);
    }
    store(later, z, 0);
    scatter(z, 0, n, 1, g.start + i);
  }
}

// One vector of channels of a diagonal scan: the planes [pair] of Ē, B̄ and C, each re and im, and a state.
struct DiagonalVector {
  float *e, *b, *c, *s;  // [part][pair]
};

// s ← s + (Ēs + B̄u); returns Re Σ C s
HWY_INLINE V diagonal_step(const DiagonalVector& v, int pairs, V u, const float* s, float* next) {
  V sum = hn::Zero(D());
  for (int k = 0; k < pairs; ++k) {
    const V er = load(v.e, k), ei = load(v.e, pairs + k), re = load(s, k), im = load(s, pairs + k);
    const V to_re = hn::MulAdd(er, re, hn::NegMulAdd(ei, im, hn::Mul(load(v.b, k), u)));
    const V to_im = hn::MulAdd(er, im, hn::MulAdd(ei, re, hn::Mul(load(v.b, pairs + k), u)));
    const V new_re = hn::Add(re, to_re), new_im = hn::Add(im, to_im);
    store(new_re, next, k);
    store(new_im, next, pairs + k);
    sum = hn::MulAdd(load(v.c, k), new_re, hn::NegMulAdd(load(v.c, pairs + k), new_im, sum));
  }
  return sum;
}

void diagonal(const DiagonalScan<float>& scan) {
  const auto [length, channels, first, count] = scan.part;
  const int rows = 2 * scan.pairs, plane = rows * channels;
  Scratch scratch(4 * rows + 2 * kSpan);
  const DiagonalVector v = {scratch.take(rows), scratch.take(rows), scratch.take(rows), scratch.take(rows)};
  float *u = scratch.take(kSpan), *y = scratch.take(kSpan);
  for (int i = first; i < first + count; i += kN) {
    const int n = std::min(kN, first + count - i);
    gather(scan.c + i, channels, n, rows, v.c);
    gather(scan.start + i, channels, n, rows, v.s);
    for (int t0 = 0; t0 < length; t0 += kSpan) {
      const int steps = std::min(kSpan, length - t0);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t0) * channels + i;
      if (scan.kept != nullptr) scatter(v.s, channels, n, rows, scan.kept + t0 / kSpan * std::ptrdiff_t{plane} + i);
      gather(scan.u + at, channels, n, steps, u);
      for (int t = 0; t < steps; ++t) {
        if (scan.step != 0 || t0 + t == 0) {
          const std::ptrdiff_t own = static_cast<std::ptrdiff_t>(t0 + t) * scan.step + i;
          gather(scan.e + own, channels, n, rows, v.e);
          gather(scan.b + own, channels, n, rows, v.b);
        }
        store(diagonal_step(v, scan.pairs, load(u, t), v.s, v.s), y, t);
      }
      scatter(y, channels, n, steps, scan.y + at);
    }
    scatter(v.s, channels, n, rows, scan.end + i);
  }
}

// gradients of a vector of channels, [row][lane]: sums over steps, and that of the state after the step
struct DiagonalAdjoint {
  float *e, *b, *c, *later;
};

// one step back, with s before and after it; returns the gradient of u
HWY_INLINE V diagonal_step_back(const DiagonalVector& v, int pairs, V u, V out, const float* before,
                                const DiagonalAdjoint& g) {
  const float* after = before + 2 * pairs * kN;
  V to_u = hn::Zero(D());
  for (int k = 0; k < pairs; ++k) {
    const int j = pairs + k;  // the imaginary part
    const V wr = hn::MulAdd(load(v.c, k), out, load(g.later, k));
    const V wi = hn::NegMulAdd(load(v.c, j), out, load(g.later, j));
    accumulate(hn::Mul(load(after, k), out), g.c, k);
    accumulate(hn::Neg(hn::Mul(load(after, j), out)), g.c, j);
    const V re = load(before, k), im = load(before, j);
    accumulate(hn::MulAdd(wr, re, hn::Mul(wi, im)), g.e, k);
    accumulate(hn::NegMulAdd(wr, im, hn::Mul(wi, re)), g.e, j);
    accumulate(hn::Mul(wr, u), g.b, k);
    accumulate(hn::Mul(wi, u), g.b, j);
    to_u = hn::MulAdd(load(v.b, k), wr, hn::MulAdd(load(v.b, j), wi, to_u));
    const V er = load(v.e, k), ei = load(v.e, j);
    store(hn::Add(wr, hn::MulAdd(er, wr, hn::Mul(ei, wi))), g.later, k);
    store(hn::Add(wi, hn::NegMulAdd(ei, wr, hn::Mul(er, wi))), g.later, j);
  }
  return to_u;
}

void diagonal_back(const DiagonalScan<float>& scan, const DiagonalGradients<float>& g) {
  const auto [length, channels, first, count] = scan.part;
  const int pairs = scan.pairs, rows = 2 * pairs, plane = rows * channels;
  Scratch scratch(7 * rows + (kSpan + 1) * rows + 3 * kSpan);
  const DiagonalVector v = {scratch.take(rows), scratch.take(rows), scratch.take(rows), nullptr};
  const DiagonalAdjoint adjoint = {scratch.take(rows), scratch.take(rows), scratch.take(rows), scratch.take(rows)};
  float* s = scratch.take((kSpan + 1) * rows);  // before each step of the span, and after the last
  float *u = scratch.take(kSpan), *gy = scratch.take(kSpan), *gu = scratch.take(kSpan);
  const auto gather_step = [&](int t, int i, int n) {
    const std::ptrdiff_t own = static_cast<std::ptrdiff_t>(t) * scan.step + i;
    gather(scan.e + own, channels, n, rows, v.e);
    gather(scan.b + own, channels, n, rows, v.b);
  };
  for (int i = first; i < first + count; i += kN) {
    const int n = std::min(kN, first + count - i);
    gather(scan.c + i, channels, n, rows, v.c);
    gather(g.end + i, channels, n, rows, adjoint.later);
    gather_step(0, i, n);
    clear(adjoint.e, rows), clear(adjoint.b, rows), clear(adjoint.c, rows);
    for (int t0 = (spans(length) - 1) * kSpan; t0 >= 0; t0 -= kSpan) {
      const int steps = std::min(kSpan, length - t0);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t0) * channels + i;
      gather(scan.u + at, channels, n, steps, u);
      gather(g.y + at, channels, n, steps, gy);
      gather(scan.kept + t0 / kSpan * std::ptrdiff_t{plane} + i, channels, n, rows, s);
      for (int t = 0; t < steps; ++t) {
        if (scan.step != 0) gather_step(t0 + t, i, n);
        diagonal_step(v, pairs, load(u, t), s + t * rows * kN, s + (t + 1) * rows * kN);
      }
      for (int t = steps - 1; t >= 0; --t) {
        if (scan.step != 0) {
          gather_step(t0 + t, i, n);
          clear(adjoint.e, rows), clear(adjoint.b, rows);
        }
        store(diagonal_step_back(v, pairs, load(u, t), load(gy, t), s + t * rows * kN, adjoint), gu, t);
        if (scan.step != 0) {
          const std::ptrdiff_t own = static_cast<std::ptrdiff_t>(t0 + t) * scan.step + i;
          scatter(adjoint.e, channels, n, rows, g.e + own);
          scatter(adjoint.b, channels, n, rows, g.b + own);
        }
      }
      scatter(gu, channels, n, steps, g.u + at);
    }
    if (scan.step == 0) {
      scatter(adjoint.e, channels, n, rows, g.e + i);
      scatter(adjoint.b, channels, n, rows, g.b + i);
    }
    scatter(adjoint.c, channels, n, rows, g.c + i);
    scatter(adjoint.later, channels, n, rows, g.start + i);
  }
}

inline constexpr float kLog2e = 1.44269504F;

// one step of a vector of channels; returns Σ C s. `change`, unless null, gets e^(ΔA) − 1.
HWY_INLINE V selective_step(const float* a, int states, V delta, V drive, const float* b, const float* c,
                            const float* s, float* next, float* change) {
  const D d;
  V sum = hn::Zero(d);
  const V scaled = hn::Mul(delta, hn::Set(d, kLog2e));
  for (int k = 0; k < states; ++k) {
    const V old = load(s, k), e = power_minus_one(hn::Mul(scaled, load(a, k)));
    const V now = hn::Add(old, hn::MulAdd(e, old, hn::Mul(drive, hn::Set(d, b[k]))));
    store(now, next, k);
    if (change != nullptr) store(e, change, k);
    sum = hn::MulAdd(hn::Set(d, c[k]), now, sum);
  }
  return sum;
}

void selective(const SelectiveScan<float>& scan) {
  const auto [length, channels, first, count] = scan.part;
  const int states = scan.states, plane = states * channels;
  Scratch scratch(2 * states + 3 * kSpan);
  float *a = scratch.take(states), *s = scratch.take(states);
  float *delta = scratch.take(kSpan), *x = scratch.take(kSpan), *y = scratch.take(kSpan);
  for (int i = first; i < first + count; i += kN) {
    const int n = std::min(kN, first + count - i);
    gather(scan.a + i, channels, n, states, a);
    gather(scan.start + i, channels, n, states, s);
    for (int t0 = 0; t0 < length; t0 += kSpan) {
      const int steps = std::min(kSpan, length - t0);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t0) * channels + i;
      if (scan.kept != nullptr) scatter(s, channels, n, states, scan.kept + t0 / kSpan * std::ptrdiff_t{plane} + i);
      gather(scan.delta + at, channels, n, steps, delta);
      gather(scan.x + at, channels, n, steps, x);
      for (int t = 0; t < steps; ++t) {
        const std::ptrdiff_t m = static_cast<std::ptrdiff_t>(t0 + t) * states;
        const V step = load(delta, t), drive = hn::Mul(step, load(x, t));
        store(selective_step(a, states, step, drive, scan.b + m, scan.c + m, s, s, nullptr), y, t);
      }
      scatter(y, channels, n, steps, scan.y + at);
    }
    scatter(s, channels, n, states, scan.end + i);
  }
}

// Σ over the lanes of each of `rows` vectors
HWY_INLINE void add_up(const float* vectors, int rows, float* to) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int lane = 0; lane < kN; ++lane) sum += vectors[r * kN + lane];
    to[r] = sum;
  }
}

// gradients of a vector of channels, [state][lane]: sums over steps, that of the state after the step, those of the step
struct SelectiveAdjoint {
  float *a, *later, *b, *c;
};

// what a step got as inputs, or their gradients
struct SelectiveInput {
  V delta, x;
};

// one step back, with s before it and e^(ΔA) − 1 of it
HWY_INLINE SelectiveInput selective_step_back(const float* a, int states, SelectiveInput in, V out, const float* b,
                                              const float* c, const float* before, const float* change,
                                              const SelectiveAdjoint& g) {
  const D d;
  const float* after = before + states * kN;
  const V drive = hn::Mul(in.delta, in.x);
  V to_drive = hn::Zero(d), to_step = hn::Zero(d);
  for (int k = 0; k < states; ++k) {
    const V wanted = hn::MulAdd(hn::Set(d, c[k]), out, load(g.later, k));
    const V earlier = hn::MulAdd(load(change, k), wanted, wanted);  // e^(ΔA)·wanted
    const V held = hn::Mul(earlier, load(before, k));
    accumulate(hn::Mul(out, load(after, k)), g.c, k);
    accumulate(hn::Mul(wanted, drive), g.b, k);
    to_drive = hn::MulAdd(wanted, hn::Set(d, b[k]), to_drive);
    to_step = hn::MulAdd(held, load(a, k), to_step);
    store(hn::MulAdd(held, in.delta, load(g.a, k)), g.a, k);
    store(earlier, g.later, k);
  }
  return {hn::MulAdd(to_drive, in.x, to_step), hn::Mul(to_drive, in.delta)};
}

// the steps of a span forward again: s before each step and after the last, and e^(ΔA) − 1 of each
HWY_INLINE void selective_span(const SelectiveScan<float>& scan, const float* a, int t0, int steps, const float* delta,
                               const float* x, float* s, float* change) {
  const int states = scan.states;
  for (int t = 0; t < steps; ++t) {
    const std::ptrdiff_t m = static_cast<std::ptrdiff_t>(t0 + t) * states;
    float* here = s + t * states * kN;
    const V step = load(delta, t), drive = hn::Mul(step, load(x, t));
    selective_step(a, states, step, drive, scan.b + m, scan.c + m, here, here + states * kN, change + t * states * kN);
  }
}

void selective_back(const SelectiveScan<float>& scan, const SelectiveGradients<float>& g) {
  const auto [length, channels, first, count] = scan.part;
  const int states = scan.states, plane = states * channels, vectors = (count + kN - 1) / kN;
  Scratch scratch(3 * vectors * states + (4 * kSpan + 1) * states + 5 * kSpan);
  // of every vector of channels
  float* all_a = scratch.take(vectors * states);
  float* all_ga = scratch.take(vectors * states);
  float* all_later = scratch.take(vectors * states);
  // of the span: states before each step and after the last, e^(ΔA) − 1, and the shares of B and C by lane
  float *s = scratch.take((kSpan + 1) * states), *change = scratch.take(kSpan * states);
  float *gb = scratch.take(kSpan * states), *gc = scratch.take(kSpan * states);
  float *delta = scratch.take(kSpan), *x = scratch.take(kSpan), *gy = scratch.take(kSpan);
  float *gdelta = scratch.take(kSpan), *gx = scratch.take(kSpan);
  for (int v = 0; v < vectors; ++v) {
    const int i = first + v * kN, n = std::min(kN, first + count - i);
    gather(scan.a + i, channels, n, states, all_a + v * states * kN);
    gather(g.end + i, channels, n, states, all_later + v * states * kN);
  }
  clear(all_ga, static_cast<std::size_t>(vectors) * states);

  for (int t0 = (spans(length) - 1) * kSpan; t0 >= 0; t0 -= kSpan) {
    const int steps = std::min(kSpan, length - t0);
    clear(gb, static_cast<std::size_t>(steps) * states);
    clear(gc, static_cast<std::size_t>(steps) * states);
    for (int v = 0; v < vectors; ++v) {
      const int i = first + v * kN, n = std::min(kN, first + count - i);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t0) * channels + i;
      const float* a = all_a + v * states * kN;
      float *ga = all_ga + v * states * kN, *later = all_later + v * states * kN;
      gather(scan.delta + at, channels, n, steps, delta);
      gather(scan.x + at, channels, n, steps, x);
      gather(g.y + at, channels, n, steps, gy);

      // forward again through the span
      gather(scan.kept + t0 / kSpan * std::ptrdiff_t{plane} + i, channels, n, states, s);
      selective_span(scan, a, t0, steps, delta, x, s, change);
      // and back
      for (int t = steps - 1; t >= 0; --t) {
        const float *b = scan.b + static_cast<std::ptrdiff_t>(t0 + t) * states, *c = scan.c + (b - scan.b);
        const int row = t * states * kN;
        const SelectiveInput to = selective_step_back(a, states, {load(delta, t), load(x, t)}, load(gy, t), b, c,
                                                      s + row, change + row, {ga, later, gb + row, gc + row});
        store(to.delta, gdelta, t);
        store(to.x, gx, t);
      }
      scatter(gdelta, channels, n, steps, g.delta + at);
      scatter(gx, channels, n, steps, g.x + at);
    }
    add_up(gb, steps * states, g.b + static_cast<std::ptrdiff_t>(t0) * states);
    add_up(gc, steps * states, g.c + static_cast<std::ptrdiff_t>(t0) * states);
  }
  for (int v = 0; v < vectors; ++v) {
    const int i = first + v * kN, n = std::min(kN, first + count - i);
    scatter(all_ga + v * states * kN, channels, n, states, g.a + i);
    scatter(all_later + v * states * kN, channels, n, states, g.start + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane::train
HWY_AFTER_NAMESPACE();
#endif
