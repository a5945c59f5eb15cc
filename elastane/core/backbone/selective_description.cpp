#include <numbers>

#include "elastane/core/backbone/description.h"
#include "elastane/core/backbone/selective.h"

namespace elastane {

Register describe(const Selective& s, Register u, Description& d) {
  ProgramBuilder& ops = d.ops;
  const Register z = d.state(s.slot.dense, 1, s.hidden);
  if (!d.steps) return z;
  const int n = padded(s.hidden);
  const Register gates = ops.linear(s.weight, s.bias, u, s.weight.rows), b = gates.part(n, s.hidden);
  const Register delta = ops.scale(d.dt, ops.activate(Curve::softplus, gates.part(0, s.hidden)));
  float* rate = ops.constants(static_cast<std::size_t>(n));  // A, from A·log2(e)
  for (int i = 0; i < n; ++i) rate[i] = static_cast<float>(s.a[i] * std::numbers::ln2);
  const Register a = ops.activate(Curve::exponential, ops.scale_add(rate, delta));
  return d.next(z, ops.add(ops.multiply(a, ops.subtract(z, b)), b));  // b + a ⊙ (z − b)
}

}  // namespace elastane
