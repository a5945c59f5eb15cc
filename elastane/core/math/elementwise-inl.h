// Activations, products, norms.   Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_ELEMENTWISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_ELEMENTWISE_INL_H_
#undef ELASTANE_ELEMENTWISE_INL_H_
#else
#define ELASTANE_ELEMENTWISE_INL_H_
#endif

#include <cmath>

#include "elastane/core/math/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

template <class Function>
HWY_INLINE void map(float* x, int n, Function function) {
  const D d;
  for (int i = 0; i < n; i += kN) hn::Store(function(hn::Load(d, x + i)), d, x + i);
}

void activate(Activation kind, float* x, int n) {
  switch (kind) {
    case Activation::none: break;
    case Activation::tanh: map(x, n, [](V v) HWY_ATTR { return hyperbolic_tangent(v); }); break;
    case Activation::silu: map(x, n, [](V v) HWY_ATTR { return silu(v); }); break;
    case Activation::gelu: map(x, n, [](V v) HWY_ATTR { return gelu(v); }); break;
  }
}

void add(const float* x, float* y, int n) {
  const D d;
  for (int i = 0; i < n; i += kN) hn::Store(hn::Add(hn::Load(d, y + i), hn::Load(d, x + i)), d, y + i);
}

void multiply(const float* x, float* y, int n) {
  const D d;
  for (int i = 0; i < n; i += kN) hn::Store(hn::Mul(hn::Load(d, y + i), hn::Load(d, x + i)), d, y + i);
}

void gated_linear_unit(const float* p, const float* q, float* y, int n) {
  const D d;
  for (int i = 0; i < n; i += kN) hn::Store(hn::Mul(hn::Load(d, p + i), sigmoid(hn::Load(d, q + i))), d, y + i);
}

void softplus_scaled(float scale, float* x, int n) {
  const D d;
  const V factor = hn::Set(d, scale);
  map(x, n, [factor](V v) HWY_ATTR { return hn::Mul(factor, softplus(v)); });
}

void bound(float limit, float* x, int n) {
  map(x, n, [limit](V v) HWY_ATTR { return bounded(v, limit); });
}

void scale_rows(const float* f, ConstRows x, int n, Rows y) {
  const D d;
  for (int r = 0; r < x.count; ++r) {
    const float* from = x[r];
    float* to = y[r];
    for (int i = 0; i < n; i += kN) hn::Store(hn::Mul(hn::Load(d, f + i), hn::Load(d, from + i)), d, to + i);
  }
}

// the padding of x is zero, so it adds nothing to the sum of squares
void rms_norm(const float* x, const float* w, int n, float* y) {
  const D d;
  V squares = hn::Zero(d);
  for (int i = 0; i < n; i += kN) {
    const V v = hn::Load(d, x + i);
    squares = hn::MulAdd(v, v, squares);
  }
  const float mean = hn::GetLane(hn::SumOfLanes(d, squares)) / static_cast<float>(n);
  const V scale = hn::Set(d, 1.0F / std::sqrt(mean + kNormEpsilon));
  for (int i = 0; i < n; i += kN) {
    hn::Store(hn::Mul(hn::Mul(hn::Load(d, x + i), scale), hn::Load(d, w + i)), d, y + i);
  }
}

void layer_norm(const float* x, const float* w, const float* b, int n, float* y) {
  const D d;
  V total = hn::Zero(d);
  for (int i = 0; i < n; i += kN) total = hn::Add(total, hn::Load(d, x + i));
  const V mean = hn::Set(d, hn::GetLane(hn::SumOfLanes(d, total)) / static_cast<float>(n));
  V squares = hn::Zero(d);
  for (int i = 0; i < n; i += kN) {
    const auto inside = hn::FirstN(d, static_cast<std::size_t>(n - i));  // the padding is not part of the variance
    const V v = hn::IfThenElseZero(inside, hn::Sub(hn::Load(d, x + i), mean));
    squares = hn::MulAdd(v, v, squares);
  }
  const float variance = hn::GetLane(hn::SumOfLanes(d, squares)) / static_cast<float>(n);
  const V scale = hn::Set(d, 1.0F / std::sqrt(variance + kNormEpsilon));
  for (int i = 0; i < n; i += kN) {
    const V v = hn::Mul(hn::Sub(hn::Load(d, x + i), mean), scale);
    hn::Store(hn::MulAdd(v, hn::Load(d, w + i), hn::Load(d, b + i)), d, y + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
