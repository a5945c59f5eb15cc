#include "elastane/core/backbone/description.h"
#include "elastane/core/backbone/mamba.h"

namespace elastane {

Register describe(const Mamba& m, Register u, Description& d) {
  ProgramBuilder& ops = d.ops;
  const int n = padded(m.inner), rank = padded(m.rank), states = padded(m.states);

  const Register xz = ops.linear(m.in_proj, nullptr, u, m.in_proj.rows);
  const Register newest = xz.part(0, m.inner), z = xz.part(n, m.inner);
  // past taps first: where they are given, their sum is fixed
  Register past;
  for (int k = m.taps - 1; k > 0; --k) {
    const Register tap = d.tap(m.slot.dense, m.taps, k, m.inner);
    const float* w = m.conv_weight + k * n;
    past = past.exists() ? ops.scale_add(w, tap, past) : ops.scale_add(w, tap, m.conv_bias);
  }
  d.newest_tap(m.slot.dense, newest);
  const Register sum =
      past.exists() ? ops.scale_add(m.conv_weight, newest, past) : ops.scale_add(m.conv_weight, newest, m.conv_bias);
  const Register x = ops.activate(Curve::silu, sum);

  Register s = d.state(m.slot.dense + m.conv_floats(), m.states, m.inner), c;
  if (d.steps) {
    const Register dbc = ops.linear(m.x_proj, nullptr, x, m.x_proj.rows);
    const Register step = ops.linear(m.dt_proj, m.dt_bias, dbc.part(0, m.rank), m.inner);
    const Register delta = ops.scale(d.dt, ops.activate(Curve::softplus, step));
    const Register b = dbc.part(rank, m.states);
    s = d.next(s, ops.selective_step(m.a, delta, x, b, s, m.states, m.inner));
    c = dbc.part(rank + states, m.states);
  } else {
    c = ops.linear_rows(m.x_proj, rank + states, m.states, x);
  }
  const Register y = ops.scale_add(m.skip, x, ops.contract(c, s, m.states, m.inner));  // C·s + D ⊙ x
  const Register gated = ops.multiply(y, ops.activate(Curve::silu, z));
  return ops.linear(m.out_proj, nullptr, gated, m.width);
}

}  // namespace elastane
