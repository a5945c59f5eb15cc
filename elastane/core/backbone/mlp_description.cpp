#include "elastane/core/backbone/description.h"
#include "elastane/core/backbone/mlp.h"

namespace elastane {

Register describe(const Mlp& m, Register u, Description& d) {
  ProgramBuilder& ops = d.ops;
  Register x = ops.linear(m.up, m.up_bias, u, m.hidden);
  if (m.gated) {
    const Register gate = ops.linear(m.gate, m.gate_bias, u, m.hidden);
    x = ops.multiply(ops.activate(m.activation, gate), x);
  } else {
    x = ops.activate(m.activation, x);
  }
  return ops.linear(m.down, m.down_bias, x, m.width);
}

}  // namespace elastane
