// Activations with their first two derivatives.   Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_JET_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_JET_INL_H_
#undef ELASTANE_JET_INL_H_
#else
#define ELASTANE_JET_INL_H_
#endif

#include "elastane/core/math/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

struct Jet {
  V value, slope, curvature;
};

HWY_INLINE Jet tanh_jet(V x) {
  const V one = hn::Set(D(), 1.0F), y = hyperbolic_tangent(x);
  const V slope = hn::NegMulAdd(y, y, one);                            // 1 − y²
  return {y, slope, hn::Mul(hn::Set(D(), -2.0F), hn::Mul(y, slope))};  // −2yφ′
}

HWY_INLINE Jet silu_jet(V x) {
  const V one = hn::Set(D(), 1.0F), two = hn::Set(D(), 2.0F), s = sigmoid(x), t = hn::Sub(one, s);
  const V slope = hn::Mul(s, hn::MulAdd(x, t, one));                                         // s(1 + xt)
  return {hn::Mul(x, s), slope, hn::Mul(hn::Mul(s, t), hn::MulAdd(x, hn::Sub(t, s), two))};  // st(2 + x(t − s))
}

HWY_INLINE Jet gelu_jet(V x) {
  const V cdf = normal_distribution(x), density = normal_density(x);
  const V curvature = hn::Mul(density, hn::NegMulAdd(x, x, hn::Set(D(), 2.0F)));  // φ(2 − x²)
  return {hn::Mul(x, cdf), hn::MulAdd(x, density, cdf), curvature};               // xΦ, Φ + xφ
}

HWY_INLINE Jet sigmoid_jet(V x) {
  const V s = sigmoid(x), t = hn::Sub(hn::Set(D(), 1.0F), s), slope = hn::Mul(s, t);
  return {s, slope, hn::Mul(slope, hn::Sub(t, s))};
}

HWY_INLINE Jet softplus_jet(V x) {
  const V s = sigmoid(x);
  return {softplus(x), s, hn::NegMulAdd(s, s, s)};
}

// −softplus(−x)
HWY_INLINE Jet log_sigmoid_jet(V x) {
  const V t = sigmoid(hn::Neg(x));
  return {hn::Neg(softplus(hn::Neg(x))), t, hn::MulSub(t, t, t)};
}

HWY_INLINE Jet exponential_jet(V x) {
  const V e = exponential(x);
  return {e, e, e};
}

template <class Function>
HWY_INLINE void map_jet(const float* x, int n, float* y, float* slope, float* curvature, Function function) {
  const D d;
  for (int i = 0; i < n; i += kN) {
    const Jet jet = function(hn::Load(d, x + i));
    hn::Store(jet.value, d, y + i);
    if (slope != nullptr) hn::Store(jet.slope, d, slope + i);
    if (curvature != nullptr) hn::Store(jet.curvature, d, curvature + i);
  }
}

void activation_jet(Curve kind, const float* x, int n, float* y, float* slope, float* curvature) {
  const auto run = [&](auto function) HWY_ATTR { map_jet(x, n, y, slope, curvature, function); };
  switch (kind) {
    case Curve::tanh: run([](V v) HWY_ATTR { return tanh_jet(v); }); break;
    case Curve::silu: run([](V v) HWY_ATTR { return silu_jet(v); }); break;
    case Curve::gelu: run([](V v) HWY_ATTR { return gelu_jet(v); }); break;
    case Curve::sigmoid: run([](V v) HWY_ATTR { return sigmoid_jet(v); }); break;
    case Curve::softplus: run([](V v) HWY_ATTR { return softplus_jet(v); }); break;
    case Curve::log_sigmoid: run([](V v) HWY_ATTR { return log_sigmoid_jet(v); }); break;
    case Curve::exponential: run([](V v) HWY_ATTR { return exponential_jet(v); }); break;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
