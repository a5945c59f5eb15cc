// Real-time code only.
#include <cmath>
#include <limits>
#include <type_traits>

#include "elastane/core/math/program.h"

namespace elastane {
namespace {

template <class T>
constexpr T kEnough = std::is_same_v<T, float> ? T(3e-8)
                                               : T(1e-16);  // relative change at which rounding is all that is left

// to ← from + more (or from alone); the largest change and the largest value
template <class T>
struct Change {
  T moved = 0, size = 0;

  void replace(const T* from, const T* more, int n, T* to) {
    for (int i = 0; i < n; ++i) {
      const T value = more == nullptr ? from[i] : from[i] + more[i];
      moved = std::fmax(moved, std::fabs(value - to[i]));
      size = std::fmax(size, std::fabs(value));
      to[i] = value;
    }
  }
  bool settled() const { return !(moved > kEnough<T> * size); }
};

template <class T>
int most_of(int most) {
  return std::is_same_v<T, float> ? most : 2 * most;
}

template <class T>
void clear(T* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = 0;
}

// x = Jx + q, where the tangents of b are in place and q may be null; the tangent of h starts at 0. Row by row: each
// settles in its own time, so that its value does not depend on what it is computed with
template <class T>
void solve_tangents(const FixedPoint& op, const Program& step, const Pass<T>& pass, BasicRows<T> d, const T* q) {
  for (int r = 0; r < d.count; ++r) {
    clear(d[r] + op.h.offset, op.h.lanes());
    for (int k = 0; k < most_of<T>(op.most); ++k) {
      run_jvp(step, pass, d.slice(r, 1));
      Change<T> change;
      change.replace(d[r] + op.next.offset, q, op.h.lanes(), d[r] + op.h.offset);
      if (change.settled()) break;
    }
  }
}

}  // namespace

template <class T>
Pass<T> FixedPoint::inside(const Pass<T>& p) const {
  Pass<T> own = p;
  own.tape = p.tape + tape.offset;
  return own;
}

template <class T>
void FixedPoint::value(const Pass<T>& p) const {
  Pass<T> own = inside(p);
  T* at = own.tape;
  put(at + b.offset, b.lanes(), false, [from = p[drive]](int i) { return from[i]; });
  clear(at + h.offset, h.lanes());
  own.derivatives = false;
  for (int k = 0; k < most_of<T>(most); ++k) {
    run(*step, own);
    Change<T> change;
    change.replace(at + next.offset, nullptr, h.lanes(), at + h.offset);
    if (change.settled()) break;
  }
  own.derivatives = p.derivatives;
  if (own.derivatives) run(*step, own);  // slopes at the fixed point
  put(p[y], y.lanes(), false, [from = at + h.offset](int i) { return from[i]; });
}

template <class T>
void FixedPoint::jvp(const Pass<T>& p, BasicRows<T> d) const {
  const BasicRows<T> own{d.data + tape.offset, d.count, d.stride};
  for (int r = 0; r < d.count; ++r) {
    put(own[r] + b.offset, b.lanes(), false, [from = d[r] + drive.offset](int i) { return from[i]; });
  }
  solve_tangents<T>(*this, *step, inside(p), own, nullptr);
  for (int r = 0; r < d.count; ++r) {
    put(d[r] + y.offset, y.lanes(), false, [from = own[r] + h.offset](int i) { return from[i]; });
  }
}

template <class T>
void FixedPoint::vjp(const Pass<T>& p, BasicRows<T> a) const {
  const BasicRows<T> own{a.data + tape.offset, a.count, a.stride};
  for (int r = 0; r < a.count; ++r) {
    put(own[r] + next.offset, next.lanes(), false, [from = a[r] + y.offset](int i) { return from[i]; });
    for (int k = 0; k < most_of<T>(most); ++k) {
      run_vjp(*step, inside(p), own.slice(r, 1));
      Change<T> change;
      change.replace(own[r] + h.offset, a[r] + y.offset, h.lanes(), own[r] + next.offset);  // w ← Jᵀw + ȳ
      if (change.settled()) break;
    }
    run_vjp(*step, inside(p), own.slice(r, 1));
    put(a[r] + drive.offset, drive.lanes(), drive.add, [from = own[r] + b.offset](int i) { return from[i]; });
  }
}

// what jvp left in row 0 are the tangents of h and b; row 1 is free
template <class T>
void FixedPoint::bend(const Pass<T>& p, const T* d, T* dd) const {
  const BasicRows<T> both{const_cast<T*>(d) + tape.offset, 2, static_cast<int>(dd - d)};
  clear(both[1] + h.offset, h.lanes());
  clear(both[1] + b.offset, b.lanes());
  run_second(*step, inside(p), both);
  T* q = p.scratch + step->scratch_floats;  // behind what the step uses: D²Φ[(ḣ, ḃ), (ḣ, ḃ)]
  put(q, h.lanes(), false, [from = both[1] + next.offset](int i) { return from[i]; });
  solve_tangents<T>(*this, *step, inside(p), both.slice(1, 1), q);
  put(dd + y.offset, y.lanes(), true, [from = both[1] + h.offset](int i) { return from[i]; });
}

template void FixedPoint::value(const Pass<float>&) const;
template void FixedPoint::value(const Pass<double>&) const;
template void FixedPoint::jvp(const Pass<float>&, BasicRows<float>) const;
template void FixedPoint::jvp(const Pass<double>&, BasicRows<double>) const;
template void FixedPoint::vjp(const Pass<float>&, BasicRows<float>) const;
template void FixedPoint::vjp(const Pass<double>&, BasicRows<double>) const;
template void FixedPoint::bend(const Pass<float>&, const float*, float*) const;
template void FixedPoint::bend(const Pass<double>&, const double*, double*) const;

}  // namespace elastane
