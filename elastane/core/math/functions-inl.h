// Vector forms of exp, σ, tanh, softplus, silu and gelu.   Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_FUNCTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_FUNCTIONS_INL_H_
#undef ELASTANE_FUNCTIONS_INL_H_
#else
#define ELASTANE_FUNCTIONS_INL_H_
#endif

#include "elastane/core/math/kernels.h"
#include "elastane/core/math/lanes-inl.h"
#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

// t = n + f with n whole and |f| ≤ ½; `power` = 2ⁿ. Adding 1.5·2²³ rounds t and leaves n in the low bits.
struct Split {
  V power, fraction;
};
HWY_INLINE Split split_power(V t) {
  const D d;
  const hn::RebindToSigned<D> di;
  const V magic = hn::Set(d, 12582912.0F);
  const V shifted = hn::Add(t, magic);
  const V whole = hn::Sub(shifted, magic);
  const auto bits = hn::Add(hn::ShiftLeft<23>(hn::BitCast(di, shifted)), hn::Set(di, 127 << 23));
  return {hn::BitCast(d, bits), hn::Sub(t, whole)};
}

// eˣ within 2 units in the last place, held at e⁻⁸⁷ below and at e⁸⁸ above; half the cost of the library's,
// which also covers subnormal results
HWY_INLINE V exponential(V x) {
  const D d;
  const V clipped = hn::Min(hn::Max(x, hn::Set(d, -87.0F)), hn::Set(d, 88.0F));
  const V magic = hn::Set(d, 12582912.0F);
  const V n = hn::Sub(hn::MulAdd(clipped, hn::Set(d, 1.44269504F), magic), magic);
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375F), clipped);  // ln2 in two parts
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4F), r);
  V p = hn::Set(d, 1.0F / 720);
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F / 120));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F / 24));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F / 6));
  p = hn::MulAdd(p, r, hn::Set(d, 0.5F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
  return hn::Mul(p, split_power(n).power);
}

// 2ⁿ and 2ᶠ − 1 of t = n + f ≤ 0, held at −126 below. 2ᶠ − 1 = f·Q(f), Q a least-maximum fit made for this file (4e-7).
struct FittedPower {
  V power, fraction;  // 2ⁿ, f·Q(f)
};
HWY_INLINE FittedPower fitted_power(V t) {
  const D d;
  const auto [power, f] = split_power(hn::Max(t, hn::Set(d, -126.0F)));
  V q = hn::Set(d, 1.333353852e-03F);
  q = hn::MulAdd(q, f, hn::Set(d, 9.666245424e-03F));
  q = hn::MulAdd(q, f, hn::Set(d, 5.550500214e-02F));
  q = hn::MulAdd(q, f, hn::Set(d, 2.402235134e-01F));
  q = hn::MulAdd(q, f, hn::Set(d, 6.931471435e-01F));
  return {power, hn::Mul(q, f)};
}

// 2ᵗ − 1 for t ≤ 0, with a small relative error also near t = 0, where slow modes are: 2ⁿ·fQ(f) + (2ⁿ − 1)
HWY_INLINE V power_minus_one(V t) {
  const auto [power, fraction] = fitted_power(t);
  return hn::MulAdd(power, fraction, hn::Sub(power, hn::Set(D(), 1.0F)));
}

// σ(x) = 1/(1 + e⁻ˣ)
HWY_INLINE V sigmoid(V x) {
  const V one = hn::Set(D(), 1.0F);
  return hn::Div(one, hn::Add(one, exponential(hn::Neg(x))));
}

// log(1 + eˣ) = max(x, 0) + log(1 + y), y = e^−|x| in (0, 1]; log(1 + y) = 2 artanh z = z·R(z²), z = y/(2 + y), R a
// least-maximum fit made for this file (relative error 4e-9)
HWY_INLINE V softplus(V x) {
  const D d;
  const V y = exponential(hn::Neg(hn::Abs(x)));
  const V z = hn::Div(y, hn::Add(y, hn::Set(d, 2.0F)));
  const V square = hn::Mul(z, z);
  V r = hn::Set(d, 2.817820971e-01F);
  r = hn::MulAdd(r, square, hn::Set(d, 2.796063409e-01F));
  r = hn::MulAdd(r, square, hn::Set(d, 4.002490767e-01F));
  r = hn::MulAdd(r, square, hn::Set(d, 6.666631476e-01F));
  r = hn::MulAdd(r, square, hn::Set(d, 2.000000008e+00F));
  return hn::MulAdd(z, r, hn::Max(x, hn::Zero(d)));
}

HWY_INLINE V silu(V x) { return hn::Mul(x, sigmoid(x)); }
HWY_INLINE V hyperbolic_tangent(V x) { return hn::Tanh(D(), x); }

// Φ(x), the normal distribution. The tail Φ(−a) = ½erfc(a/√2), with erfc(u) = e^(−u²)·t·P(t), t = 1/(1 + u/2): P is a
// least-maximum fit made for this file, relative error 4e-8 on [0, 10]
HWY_INLINE V normal_distribution(V x) {
  const D d;
  const V u = hn::Mul(hn::Abs(x), hn::Set(d, 0.707106781F));
  const V t = hn::Div(hn::Set(d, 1.0F), hn::MulAdd(u, hn::Set(d, 0.5F), hn::Set(d, 1.0F)));
  V p = hn::Set(d, -0.059068946F);
  p = hn::MulAdd(p, t, hn::Set(d, 0.284574895F));
  p = hn::MulAdd(p, t, hn::Set(d, -0.487199758F));
  p = hn::MulAdd(p, t, hn::Set(d, 0.278067002F));
  p = hn::MulAdd(p, t, hn::Set(d, -0.026625560F));
  p = hn::MulAdd(p, t, hn::Set(d, 0.202686827F));
  p = hn::MulAdd(p, t, hn::Set(d, 0.243103773F));
  p = hn::MulAdd(p, t, hn::Set(d, 0.282375307F));
  p = hn::MulAdd(p, t, hn::Set(d, 0.282086418F));
  const V tail = hn::Mul(hn::Mul(p, t), exponential(hn::Neg(hn::Mul(u, u))));  // erfc(|x|/√2)
  const V half = hn::Mul(tail, hn::Set(d, 0.5F));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), half, hn::Sub(hn::Set(d, 1.0F), half));
}

// its density, e^(−x²/2)/√(2π)
HWY_INLINE V normal_density(V x) {
  const D d;
  return hn::Mul(hn::Set(d, 0.398942280F), exponential(hn::Mul(hn::Set(d, -0.5F), hn::Mul(x, x))));
}

HWY_INLINE V gelu(V x) { return hn::Mul(x, normal_distribution(x)); }

// x where it is finite and within the limit, else 0
HWY_INLINE V bounded(V v, float limit) { return hn::IfThenElseZero(hn::Le(hn::Abs(v), hn::Set(D(), limit)), v); }
HWY_INLINE V admissible(V s) { return bounded(s, kStateLimit); }

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
